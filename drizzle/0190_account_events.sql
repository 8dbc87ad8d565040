CREATE TABLE "social"."account_events" (
	"id" uuid PRIMARY KEY NOT NULL,
	"brand_id" uuid NOT NULL,
	"connection_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"person_id" uuid,
	"message" text,
	"added" text[] DEFAULT '{}' NOT NULL,
	"removed" text[] DEFAULT '{}' NOT NULL,
	"times" integer DEFAULT 1 NOT NULL,
	"first_at" timestamp (3) with time zone NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "account_events_kind" CHECK ("social"."account_events"."kind" in ('connected', 'reconnected', 'permissions_changed', 'refreshed', 'refresh_failed', 'signed_out', 'disconnected', 'deactivated', 'paused', 'resumed')),
	CONSTRAINT "account_events_times" CHECK ("social"."account_events"."times" > 0 and "social"."account_events"."first_at" <= "social"."account_events"."at")
);
--> statement-breakpoint
ALTER TABLE "social"."account_events" ADD CONSTRAINT "account_events_brand_id_brands_id_fk" FOREIGN KEY ("brand_id") REFERENCES "social"."brands"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "social"."account_events" ADD CONSTRAINT "account_events_connection_id_connections_id_fk" FOREIGN KEY ("connection_id") REFERENCES "social"."connections"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "account_events_newest" ON "social"."account_events" USING btree ("connection_id","at","id");--> statement-breakpoint
CREATE INDEX "account_events_brand" ON "social"."account_events" USING btree ("brand_id");--> statement-breakpoint
CREATE INDEX "publish_attempts_account" ON "social"."publish_attempts" USING btree ("provider","external_account","started_at");--> statement-breakpoint
INSERT INTO "social"."account_events" ("id", "brand_id", "connection_id", "kind", "person_id", "first_at", "at") SELECT gen_random_uuid(), "brand_id", "id", 'connected', "owner_id", "created_at", "created_at" FROM "social"."connections";--> statement-breakpoint
INSERT INTO "social"."account_events" ("id", "brand_id", "connection_id", "kind", "first_at", "at") SELECT gen_random_uuid(), "brand_id", "id", 'deactivated', "deactivated_at", "deactivated_at" FROM "social"."connections" WHERE "deactivated_at" IS NOT NULL;
