CREATE TABLE "gateway"."social_connections" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid,
	"brand_id" uuid,
	"brand_name" text,
	"provider" text,
	"name" text,
	"host" text,
	"health" text,
	"connected_at" timestamp (3) with time zone,
	"last_used_at" timestamp (3) with time zone,
	"version" bigint NOT NULL,
	"removed_at" timestamp (3) with time zone,
	CONSTRAINT "social_connections_removal" CHECK (("gateway"."social_connections"."organization_id" IS NULL) = ("gateway"."social_connections"."removed_at" IS NOT NULL)),
	CONSTRAINT "social_connections_health" CHECK ("gateway"."social_connections"."health" IN ('healthy', 'signed_out', 'expired', 'inactive')),
	CONSTRAINT "social_connections_known" CHECK (num_nulls("gateway"."social_connections"."organization_id", "gateway"."social_connections"."brand_id", "gateway"."social_connections"."brand_name", "gateway"."social_connections"."provider", "gateway"."social_connections"."name", "gateway"."social_connections"."host", "gateway"."social_connections"."health", "gateway"."social_connections"."connected_at") IN (0, 8))
);
--> statement-breakpoint
CREATE TABLE "social"."account_reports" (
	"connection_id" uuid PRIMARY KEY NOT NULL,
	"version" bigint DEFAULT 1 NOT NULL,
	"reported_version" bigint DEFAULT 0 NOT NULL,
	"last_used_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "social"."account_reports" ADD CONSTRAINT "account_reports_connection_id_connections_id_fk" FOREIGN KEY ("connection_id") REFERENCES "social"."connections"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "social_connections_organization" ON "gateway"."social_connections" USING btree ("organization_id","provider","name","id");--> statement-breakpoint
CREATE INDEX "social_connections_removed" ON "gateway"."social_connections" USING btree ("removed_at");--> statement-breakpoint
CREATE INDEX "account_reports_waiting" ON "social"."account_reports" USING btree ("connection_id") WHERE "social"."account_reports"."reported_version" < "social"."account_reports"."version";
--> statement-breakpoint
INSERT INTO "social"."account_reports" ("connection_id", "last_used_at")
SELECT "connections"."id", "used"."at" FROM "social"."connections"
LEFT JOIN (
  SELECT "connection_id", max("settled_at") AS "at" FROM "social"."publish_attempts" WHERE "state" = 'published' GROUP BY 1
) AS "used" ON "used"."connection_id" = "connections"."id";
