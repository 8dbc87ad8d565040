CREATE TABLE "identity"."super_admin_links" (
	"id" uuid PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"token_hash" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "super_admin_links_token_hash" UNIQUE("token_hash"),
	CONSTRAINT "super_admin_links_email" UNIQUE("email"),
	CONSTRAINT "super_admin_links_email_form" CHECK ("identity"."super_admin_links"."email" = lower("identity"."super_admin_links"."email"))
);
--> statement-breakpoint
CREATE TABLE "identity"."suspensions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"reason" text NOT NULL,
	"suspended_by" uuid,
	"suspended_at" timestamp (3) with time zone NOT NULL,
	"lifted_by" uuid,
	"lifted_at" timestamp (3) with time zone,
	CONSTRAINT "suspensions_reason_length" CHECK (char_length("identity"."suspensions"."reason") BETWEEN 1 AND 500),
	CONSTRAINT "suspensions_lifted" CHECK ("identity"."suspensions"."lifted_at" >= "identity"."suspensions"."suspended_at" AND ("identity"."suspensions"."lifted_by" IS NULL OR "identity"."suspensions"."lifted_at" IS NOT NULL))
);
--> statement-breakpoint
ALTER TABLE "identity"."suspensions" ADD CONSTRAINT "suspensions_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "identity"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identity"."suspensions" ADD CONSTRAINT "suspensions_suspended_by_users_id_fk" FOREIGN KEY ("suspended_by") REFERENCES "identity"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identity"."suspensions" ADD CONSTRAINT "suspensions_lifted_by_users_id_fk" FOREIGN KEY ("lifted_by") REFERENCES "identity"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "suspensions_running" ON "identity"."suspensions" USING btree ("organization_id") WHERE "identity"."suspensions"."lifted_at" IS NULL;--> statement-breakpoint
CREATE INDEX "suspensions_organization" ON "identity"."suspensions" USING btree ("organization_id","id");