CREATE TABLE "identity"."action_definitions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"app_id" uuid NOT NULL,
	"name" text NOT NULL,
	"version" integer NOT NULL,
	"summary" text NOT NULL,
	"method" text NOT NULL,
	"path" text NOT NULL,
	"permission" text NOT NULL,
	"input_schema" jsonb NOT NULL,
	"status" text DEFAULT 'draft' NOT NULL,
	"created_by" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	"approved_by" uuid,
	"approved_at" timestamp (3) with time zone,
	CONSTRAINT "action_definitions_version" UNIQUE("app_id","name","version"),
	CONSTRAINT "action_definitions_name_form" CHECK ("identity"."action_definitions"."name" ~ '^[a-z][A-Za-z0-9_]{0,63}$'),
	CONSTRAINT "action_definitions_method" CHECK ("identity"."action_definitions"."method" IN ('GET', 'POST', 'PUT', 'PATCH', 'DELETE')),
	CONSTRAINT "action_definitions_status" CHECK ("identity"."action_definitions"."status" IN ('draft', 'approved')),
	CONSTRAINT "action_definitions_approved" CHECK (("identity"."action_definitions"."status" = 'approved') = ("identity"."action_definitions"."approved_at" IS NOT NULL))
);
--> statement-breakpoint
CREATE TABLE "identity"."app_reviews" (
	"id" uuid PRIMARY KEY NOT NULL,
	"app_id" uuid NOT NULL,
	"submitted_by" uuid,
	"submitted_at" timestamp (3) with time zone NOT NULL,
	"decision" text,
	"reason" text,
	"decided_by" uuid,
	"decided_at" timestamp (3) with time zone,
	CONSTRAINT "app_reviews_decision" CHECK ("identity"."app_reviews"."decision" IN ('approved', 'rejected', 'withdrawn')),
	CONSTRAINT "app_reviews_decided" CHECK (("identity"."app_reviews"."decision" IS NULL) = ("identity"."app_reviews"."decided_at" IS NULL)),
	CONSTRAINT "app_reviews_rejected" CHECK ("identity"."app_reviews"."decision" <> 'rejected' OR "identity"."app_reviews"."reason" IS NOT NULL),
	CONSTRAINT "app_reviews_reason_length" CHECK (char_length("identity"."app_reviews"."reason") BETWEEN 1 AND 1000)
);
--> statement-breakpoint
CREATE TABLE "identity"."developer_app_keys" (
	"api_key_id" uuid PRIMARY KEY NOT NULL,
	"app_id" uuid NOT NULL
);
--> statement-breakpoint
CREATE TABLE "identity"."developer_app_permissions" (
	"app_id" uuid NOT NULL,
	"permission" text NOT NULL,
	"description" text NOT NULL,
	CONSTRAINT "developer_app_permissions_app_id_permission_pk" PRIMARY KEY("app_id","permission"),
	CONSTRAINT "developer_app_permissions_form" CHECK ("identity"."developer_app_permissions"."permission" ~ '^[a-z_]+:[a-z]+$')
);
--> statement-breakpoint
CREATE TABLE "identity"."developer_app_scopes" (
	"app_id" uuid NOT NULL,
	"service_id" uuid NOT NULL,
	"scope" text NOT NULL,
	CONSTRAINT "developer_app_scopes_app_id_service_id_scope_pk" PRIMARY KEY("app_id","service_id","scope")
);
--> statement-breakpoint
CREATE TABLE "identity"."developer_apps" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"slug" text NOT NULL,
	"name" text NOT NULL,
	"description" text NOT NULL,
	"web_url" text NOT NULL,
	"redirect_uris" text[] DEFAULT '{}' NOT NULL,
	"status" text DEFAULT 'draft' NOT NULL,
	"service_id" uuid,
	"created_by" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	"published_at" timestamp (3) with time zone,
	CONSTRAINT "developer_apps_slug" UNIQUE("slug"),
	CONSTRAINT "developer_apps_service" UNIQUE("service_id"),
	CONSTRAINT "developer_apps_slug_form" CHECK ("identity"."developer_apps"."slug" ~ '^[a-z0-9][a-z0-9-]{1,46}[a-z0-9]$'),
	CONSTRAINT "developer_apps_slug_free" CHECK ("identity"."developer_apps"."slug" NOT LIKE 'platform-%'),
	CONSTRAINT "developer_apps_name_length" CHECK (char_length("identity"."developer_apps"."name") BETWEEN 1 AND 100),
	CONSTRAINT "developer_apps_redirect_uris" CHECK (cardinality("identity"."developer_apps"."redirect_uris") <= 10),
	CONSTRAINT "developer_apps_status" CHECK ("identity"."developer_apps"."status" IN ('draft', 'submitted', 'approved', 'rejected', 'published')),
	CONSTRAINT "developer_apps_published" CHECK ("identity"."developer_apps"."status" <> 'published' OR ("identity"."developer_apps"."service_id" IS NOT NULL AND "identity"."developer_apps"."published_at" IS NOT NULL))
);
--> statement-breakpoint
CREATE TABLE "identity"."workspace_revocations" (
	"organization_id" uuid PRIMARY KEY NOT NULL,
	"reason" text NOT NULL,
	"revoked_by" uuid,
	"revoked_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "workspace_revocations_reason_length" CHECK (char_length("identity"."workspace_revocations"."reason") BETWEEN 1 AND 500)
);
--> statement-breakpoint
ALTER TABLE "identity"."action_definitions" ADD CONSTRAINT "action_definitions_app_id_developer_apps_id_fk" FOREIGN KEY ("app_id") REFERENCES "identity"."developer_apps"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identity"."action_definitions" ADD CONSTRAINT "action_definitions_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "identity"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identity"."action_definitions" ADD CONSTRAINT "action_definitions_approved_by_users_id_fk" FOREIGN KEY ("approved_by") REFERENCES "identity"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identity"."app_reviews" ADD CONSTRAINT "app_reviews_app_id_developer_apps_id_fk" FOREIGN KEY ("app_id") REFERENCES "identity"."developer_apps"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identity"."app_reviews" ADD CONSTRAINT "app_reviews_submitted_by_users_id_fk" FOREIGN KEY ("submitted_by") REFERENCES "identity"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identity"."app_reviews" ADD CONSTRAINT "app_reviews_decided_by_users_id_fk" FOREIGN KEY ("decided_by") REFERENCES "identity"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identity"."developer_app_keys" ADD CONSTRAINT "developer_app_keys_api_key_id_api_keys_id_fk" FOREIGN KEY ("api_key_id") REFERENCES "identity"."api_keys"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identity"."developer_app_keys" ADD CONSTRAINT "developer_app_keys_app_id_developer_apps_id_fk" FOREIGN KEY ("app_id") REFERENCES "identity"."developer_apps"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identity"."developer_app_permissions" ADD CONSTRAINT "developer_app_permissions_app_id_developer_apps_id_fk" FOREIGN KEY ("app_id") REFERENCES "identity"."developer_apps"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identity"."developer_app_scopes" ADD CONSTRAINT "developer_app_scopes_app_id_developer_apps_id_fk" FOREIGN KEY ("app_id") REFERENCES "identity"."developer_apps"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identity"."developer_app_scopes" ADD CONSTRAINT "developer_app_scopes_scope" FOREIGN KEY ("service_id","scope") REFERENCES "identity"."service_permissions"("service_id","scope") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identity"."developer_apps" ADD CONSTRAINT "developer_apps_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "identity"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identity"."developer_apps" ADD CONSTRAINT "developer_apps_service_id_services_id_fk" FOREIGN KEY ("service_id") REFERENCES "identity"."services"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identity"."developer_apps" ADD CONSTRAINT "developer_apps_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "identity"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identity"."workspace_revocations" ADD CONSTRAINT "workspace_revocations_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "identity"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identity"."workspace_revocations" ADD CONSTRAINT "workspace_revocations_revoked_by_users_id_fk" FOREIGN KEY ("revoked_by") REFERENCES "identity"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "action_definitions_draft" ON "identity"."action_definitions" USING btree ("app_id","name") WHERE "identity"."action_definitions"."status" = 'draft';--> statement-breakpoint
CREATE UNIQUE INDEX "app_reviews_waiting" ON "identity"."app_reviews" USING btree ("app_id") WHERE "identity"."app_reviews"."decision" IS NULL;--> statement-breakpoint
CREATE INDEX "app_reviews_app" ON "identity"."app_reviews" USING btree ("app_id","id");--> statement-breakpoint
CREATE INDEX "developer_app_keys_app" ON "identity"."developer_app_keys" USING btree ("app_id");--> statement-breakpoint
CREATE INDEX "developer_apps_organization" ON "identity"."developer_apps" USING btree ("organization_id","id");