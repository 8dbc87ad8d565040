ALTER TABLE "social"."connections" ADD COLUMN "renewal_owner" uuid;--> statement-breakpoint
ALTER TABLE "social"."connections" ADD COLUMN "renewal_ends_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "social"."connections" ADD CONSTRAINT "connections_renewal" CHECK (("social"."connections"."renewal_owner" is null) = ("social"."connections"."renewal_ends_at" is null));