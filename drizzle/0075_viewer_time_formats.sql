ALTER TABLE "identity"."app_switcher_preferences" ADD COLUMN "time_zone" text;--> statement-breakpoint
ALTER TABLE "identity"."app_switcher_preferences" ADD COLUMN "language" text;--> statement-breakpoint
ALTER TABLE "identity"."app_switcher_preferences" ADD COLUMN "hour_cycle" text;--> statement-breakpoint
ALTER TABLE "identity"."app_switcher_preferences" ADD CONSTRAINT "app_switcher_preferences_language" CHECK ("identity"."app_switcher_preferences"."language" IN ('en-GB', 'en-US', 'de-DE', 'es-ES', 'fr-FR'));--> statement-breakpoint
ALTER TABLE "identity"."app_switcher_preferences" ADD CONSTRAINT "app_switcher_preferences_hour_cycle" CHECK ("identity"."app_switcher_preferences"."hour_cycle" IN ('h12', 'h23'));