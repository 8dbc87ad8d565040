CREATE SCHEMA "platform";
--> statement-breakpoint
CREATE TABLE "platform"."audit_log" (
	"id" uuid PRIMARY KEY NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"organization_id" uuid,
	"principal_id" uuid,
	"principal_type" text,
	"credential_kind" text,
	"credential_id" text,
	"on_behalf_of" uuid,
	"operation" text NOT NULL,
	"outcome" text NOT NULL,
	"object_kind" text,
	"object_id" text,
	"before" jsonb,
	"after" jsonb,
	"address" text,
	"request_id" uuid NOT NULL,
	CONSTRAINT "audit_log_outcome" CHECK ("platform"."audit_log"."outcome" IN ('done', 'refused')),
	CONSTRAINT "audit_log_object" CHECK ("platform"."audit_log"."object_id" IS NULL OR "platform"."audit_log"."object_kind" IS NOT NULL)
);
--> statement-breakpoint
CREATE INDEX "audit_log_newest" ON "platform"."audit_log" USING btree ("organization_id","at","id");--> statement-breakpoint
CREATE INDEX "audit_log_of_principal" ON "platform"."audit_log" USING btree ("organization_id","principal_id","at","id");--> statement-breakpoint
CREATE INDEX "audit_log_of_object" ON "platform"."audit_log" USING btree ("organization_id","object_id","at","id");