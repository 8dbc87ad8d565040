CREATE TABLE "social"."authorizations" (
	"id" uuid PRIMARY KEY NOT NULL,
	"state_digest" text NOT NULL,
	"user_id" uuid NOT NULL,
	"brand_id" uuid NOT NULL,
	"provider" text NOT NULL,
	"sealed_kept" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "authorizations_stateDigest_unique" UNIQUE("state_digest")
);
--> statement-breakpoint
CREATE TABLE "social"."network_apps" (
	"id" uuid PRIMARY KEY NOT NULL,
	"provider" text NOT NULL,
	"host" text NOT NULL,
	"redirect_uri" text NOT NULL,
	"client_id" text NOT NULL,
	"sealed_secret" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "network_apps_place" UNIQUE("provider","host","redirect_uri")
);
--> statement-breakpoint
ALTER TABLE "social"."authorizations" ADD CONSTRAINT "authorizations_brand_id_brands_id_fk" FOREIGN KEY ("brand_id") REFERENCES "social"."brands"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "authorizations_expired" ON "social"."authorizations" USING btree ("expires_at");