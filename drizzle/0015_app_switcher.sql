CREATE TABLE "identity"."app_switcher_preferences" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"favorites" uuid[] DEFAULT '{}' NOT NULL,
	"hidden" uuid[] DEFAULT '{}' NOT NULL,
	"tile_size" text DEFAULT 'medium' NOT NULL,
	"theme" text,
	CONSTRAINT "app_switcher_preferences_tile_size" CHECK ("identity"."app_switcher_preferences"."tile_size" IN ('small', 'medium', 'large')),
	CONSTRAINT "app_switcher_preferences_theme" CHECK ("identity"."app_switcher_preferences"."theme" IN ('light', 'dark'))
);
--> statement-breakpoint
ALTER TABLE "identity"."services" ADD COLUMN "icon" text;--> statement-breakpoint
ALTER TABLE "identity"."services" ADD COLUMN "surface_kind" text DEFAULT 'api' NOT NULL;--> statement-breakpoint
ALTER TABLE "identity"."services" ADD COLUMN "launchable" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "identity"."services" ADD COLUMN "web_url" text;--> statement-breakpoint
ALTER TABLE "identity"."app_switcher_preferences" ADD CONSTRAINT "app_switcher_preferences_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "identity"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identity"."services" ADD CONSTRAINT "services_surface_kind" CHECK ("identity"."services"."surface_kind" IN ('app', 'api', 'runtime', 'internal'));--> statement-breakpoint
ALTER TABLE "identity"."services" ADD CONSTRAINT "services_launchable" CHECK (NOT "identity"."services"."launchable" OR "identity"."services"."web_url" IS NOT NULL);