ALTER TABLE "platform"."idempotency_keys" DROP CONSTRAINT "idempotency_keys_state";--> statement-breakpoint
ALTER TABLE "platform"."idempotency_keys" ADD COLUMN "owner" uuid;--> statement-breakpoint
ALTER TABLE "platform"."idempotency_keys" ADD COLUMN "lease_until" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "platform"."idempotency_keys" ADD CONSTRAINT "idempotency_keys_state" CHECK ("platform"."idempotency_keys"."state" IN ('running', 'broken_off', 'done'));