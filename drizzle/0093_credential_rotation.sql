ALTER TABLE "gateway"."provider_credentials" DROP CONSTRAINT "provider_credentials_owner";--> statement-breakpoint
ALTER TABLE "gateway"."provider_credentials" ADD COLUMN "status" text DEFAULT 'active' NOT NULL;--> statement-breakpoint
ALTER TABLE "gateway"."provider_credentials" ADD COLUMN "proved_calls" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "gateway"."provider_credentials" ADD COLUMN "rotation_ends_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "gateway"."provider_credentials" ADD CONSTRAINT "provider_credentials_owner" UNIQUE NULLS NOT DISTINCT("organization_id","provider","mode","status");--> statement-breakpoint
ALTER TABLE "gateway"."provider_credentials" ADD CONSTRAINT "provider_credentials_status" CHECK ("gateway"."provider_credentials"."status" IN ('active', 'incoming'));--> statement-breakpoint
ALTER TABLE "gateway"."provider_credentials" ADD CONSTRAINT "provider_credentials_rotation" CHECK (("gateway"."provider_credentials"."status" = 'incoming') = ("gateway"."provider_credentials"."rotation_ends_at" IS NOT NULL));