CREATE TABLE "identity"."service_access" (
	"organization_id" uuid NOT NULL,
	"service_id" uuid NOT NULL,
	"granted_at" timestamp (3) with time zone NOT NULL,
	"granted_by" uuid,
	CONSTRAINT "service_access_organization_id_service_id_pk" PRIMARY KEY("organization_id","service_id")
);
--> statement-breakpoint
CREATE TABLE "identity"."user_permission_overrides" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"service_id" uuid NOT NULL,
	"permission" text NOT NULL,
	"effect" text NOT NULL,
	"reason" text,
	"created_by" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "user_permission_overrides_once" UNIQUE("organization_id","user_id","service_id","permission","effect"),
	CONSTRAINT "user_permission_overrides_effect" CHECK ("identity"."user_permission_overrides"."effect" IN ('grant', 'deny')),
	CONSTRAINT "user_permission_overrides_reason_length" CHECK (char_length("identity"."user_permission_overrides"."reason") BETWEEN 1 AND 500)
);
--> statement-breakpoint
ALTER TABLE "identity"."services" ADD COLUMN "surface_group" text;--> statement-breakpoint
ALTER TABLE "identity"."services" ADD COLUMN "household_capable" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "identity"."services" ADD COLUMN "supported_contexts" text[] DEFAULT '{"organization"}' NOT NULL;--> statement-breakpoint
ALTER TABLE "identity"."services" ADD COLUMN "ios_url" text;--> statement-breakpoint
ALTER TABLE "identity"."services" ADD COLUMN "android_url" text;--> statement-breakpoint
ALTER TABLE "identity"."services" ADD COLUMN "widget_url" text;--> statement-breakpoint
ALTER TABLE "identity"."services" ADD COLUMN "first_party" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "identity"."services" ADD COLUMN "paid" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "identity"."services" ADD COLUMN "default_access" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "identity"."service_access" ADD CONSTRAINT "service_access_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "identity"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identity"."service_access" ADD CONSTRAINT "service_access_service_id_services_id_fk" FOREIGN KEY ("service_id") REFERENCES "identity"."services"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identity"."service_access" ADD CONSTRAINT "service_access_granted_by_users_id_fk" FOREIGN KEY ("granted_by") REFERENCES "identity"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identity"."user_permission_overrides" ADD CONSTRAINT "user_permission_overrides_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "identity"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identity"."user_permission_overrides" ADD CONSTRAINT "user_permission_overrides_member" FOREIGN KEY ("organization_id","user_id") REFERENCES "identity"."memberships"("organization_id","user_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identity"."user_permission_overrides" ADD CONSTRAINT "user_permission_overrides_permission" FOREIGN KEY ("service_id","permission") REFERENCES "identity"."service_permissions"("service_id","permission") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "service_access_service" ON "identity"."service_access" USING btree ("service_id","organization_id");--> statement-breakpoint
ALTER TABLE "identity"."services" ADD CONSTRAINT "services_supported_contexts" CHECK ("identity"."services"."supported_contexts" <@ ARRAY['personal', 'organization'] AND cardinality("identity"."services"."supported_contexts") > 0);--> statement-breakpoint
ALTER TABLE "identity"."services" ADD CONSTRAINT "services_paid" CHECK (NOT "identity"."services"."paid" OR "identity"."services"."first_party");