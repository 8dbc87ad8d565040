ALTER TABLE "gateway"."social_apps" ADD COLUMN "health" text DEFAULT 'unknown' NOT NULL;--> statement-breakpoint
ALTER TABLE "gateway"."social_apps" ADD COLUMN "last_error" text;--> statement-breakpoint
ALTER TABLE "gateway"."social_apps" ADD COLUMN "checked_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "gateway"."social_apps" ADD CONSTRAINT "social_apps_health" CHECK ("gateway"."social_apps"."health" IN ('unknown', 'healthy', 'unhealthy'));