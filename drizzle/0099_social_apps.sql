CREATE TABLE "gateway"."social_apps" (
	"id" uuid PRIMARY KEY NOT NULL,
	"provider" text NOT NULL,
	"host" text NOT NULL,
	"redirect_uri" text NOT NULL,
	"client_id" text NOT NULL,
	"sealed_secret" text NOT NULL,
	"former_table" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "social_apps_client" UNIQUE("provider","host","redirect_uri","client_id")
);

--> statement-breakpoint
INSERT INTO "gateway"."social_apps" ("id", "provider", "host", "redirect_uri", "client_id", "sealed_secret", "former_table", "created_at")
SELECT "id", "provider", "host", "redirect_uri", "client_id", "sealed_secret", 'social.network_apps', "created_at"
FROM "social"."network_apps";
--> statement-breakpoint
DELETE FROM "social"."network_apps";
