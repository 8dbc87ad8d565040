ALTER TABLE "platform"."received_webhooks" DROP CONSTRAINT "received_webhooks_state";--> statement-breakpoint
DROP INDEX "platform"."received_webhooks_open";--> statement-breakpoint
ALTER TABLE "platform"."received_webhooks" ADD COLUMN "organization_id" uuid;--> statement-breakpoint
ALTER TABLE "platform"."received_webhooks" ADD COLUMN "object_id" text;--> statement-breakpoint
ALTER TABLE "platform"."received_webhooks" ADD COLUMN "duplicates" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "platform"."received_webhooks" ADD COLUMN "attempts" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "platform"."received_webhooks" ADD COLUMN "attempt_log" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
CREATE INDEX "received_webhooks_of_organization" ON "platform"."received_webhooks" USING btree ("organization_id","webhook","id") WHERE organization_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX "received_webhooks_counts" ON "platform"."received_webhooks" USING btree ("organization_id","webhook","state","duplicates") WHERE organization_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX "received_webhooks_open" ON "platform"."received_webhooks" USING btree ("state","id") WHERE state IN ('waiting', 'failed');--> statement-breakpoint
ALTER TABLE "platform"."received_webhooks" ADD CONSTRAINT "received_webhooks_state" CHECK ("platform"."received_webhooks"."state" IN ('waiting', 'handled', 'failed', 'ignored'));