CREATE SCHEMA "identity";
--> statement-breakpoint
CREATE TABLE "identity"."memberships" (
	"organization_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"role" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "memberships_organization_id_user_id_pk" PRIMARY KEY("organization_id","user_id"),
	CONSTRAINT "memberships_role" CHECK ("identity"."memberships"."role" IN ('viewer', 'reviewer', 'editor', 'admin', 'owner'))
);
--> statement-breakpoint
CREATE TABLE "identity"."organizations" (
	"id" uuid PRIMARY KEY NOT NULL,
	"slug" text NOT NULL,
	"name" text NOT NULL,
	"developer_workspace" boolean DEFAULT false NOT NULL,
	"settings" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "organizations_slug" UNIQUE("slug"),
	CONSTRAINT "organizations_slug_form" CHECK ("identity"."organizations"."slug" ~ '^[a-z0-9][a-z0-9-]{1,46}[a-z0-9]$'),
	CONSTRAINT "organizations_name_length" CHECK (char_length("identity"."organizations"."name") BETWEEN 1 AND 100)
);
--> statement-breakpoint
CREATE TABLE "identity"."refresh_tokens" (
	"hash" text PRIMARY KEY NOT NULL,
	"session_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"used_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "identity"."role_bundles" (
	"service_id" uuid NOT NULL,
	"role" text NOT NULL,
	"permission" text NOT NULL,
	CONSTRAINT "role_bundles_role_service_id_permission_pk" PRIMARY KEY("role","service_id","permission"),
	CONSTRAINT "role_bundles_role" CHECK ("identity"."role_bundles"."role" IN ('viewer', 'reviewer', 'editor', 'admin', 'owner'))
);
--> statement-breakpoint
CREATE TABLE "identity"."service_permissions" (
	"service_id" uuid NOT NULL,
	"permission" text NOT NULL,
	"scope" text,
	"description" text NOT NULL,
	CONSTRAINT "service_permissions_service_id_permission_pk" PRIMARY KEY("service_id","permission"),
	CONSTRAINT "service_permissions_scope" UNIQUE("service_id","scope"),
	CONSTRAINT "service_permissions_form" CHECK ("identity"."service_permissions"."permission" ~ '^[a-z_]+:[a-z]+$'),
	CONSTRAINT "service_permissions_scope_form" CHECK ("identity"."service_permissions"."scope" = replace("identity"."service_permissions"."permission", ':', '.'))
);
--> statement-breakpoint
CREATE TABLE "identity"."services" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"slug" text NOT NULL,
	"name" text NOT NULL,
	"description" text NOT NULL,
	CONSTRAINT "services_slug" UNIQUE("slug")
);
--> statement-breakpoint
CREATE TABLE "identity"."sessions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"organization_id" uuid,
	"token_hash" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"idle_expires_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "sessions_token_hash" UNIQUE("token_hash"),
	CONSTRAINT "sessions_expiry" CHECK ("identity"."sessions"."created_at" < "identity"."sessions"."idle_expires_at" AND "identity"."sessions"."idle_expires_at" <= "identity"."sessions"."expires_at")
);
--> statement-breakpoint
CREATE TABLE "identity"."signing_keys" (
	"id" uuid PRIMARY KEY NOT NULL,
	"public_key" text NOT NULL,
	"sealed_private_key" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"retired_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "identity"."users" (
	"id" uuid PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"name" text NOT NULL,
	"principal_type" text DEFAULT 'user' NOT NULL,
	"password_hash" text,
	"last_context" text,
	"last_organization_id" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "users_name_length" CHECK (char_length("identity"."users"."name") BETWEEN 1 AND 100),
	CONSTRAINT "users_principal_type" CHECK ("identity"."users"."principal_type" IN ('user', 'agent', 'platform_super_admin')),
	CONSTRAINT "users_last_context" CHECK ("identity"."users"."last_context" IN ('personal', 'organization'))
);
--> statement-breakpoint
ALTER TABLE "identity"."memberships" ADD CONSTRAINT "memberships_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "identity"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identity"."memberships" ADD CONSTRAINT "memberships_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "identity"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identity"."refresh_tokens" ADD CONSTRAINT "refresh_tokens_session_id_sessions_id_fk" FOREIGN KEY ("session_id") REFERENCES "identity"."sessions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identity"."role_bundles" ADD CONSTRAINT "role_bundles_permission" FOREIGN KEY ("service_id","permission") REFERENCES "identity"."service_permissions"("service_id","permission") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identity"."service_permissions" ADD CONSTRAINT "service_permissions_service_id_services_id_fk" FOREIGN KEY ("service_id") REFERENCES "identity"."services"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identity"."sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "identity"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identity"."sessions" ADD CONSTRAINT "sessions_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "identity"."organizations"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identity"."users" ADD CONSTRAINT "users_last_organization_id_organizations_id_fk" FOREIGN KEY ("last_organization_id") REFERENCES "identity"."organizations"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "memberships_user" ON "identity"."memberships" USING btree ("user_id","organization_id");--> statement-breakpoint
CREATE INDEX "refresh_tokens_session" ON "identity"."refresh_tokens" USING btree ("session_id");--> statement-breakpoint
CREATE INDEX "refresh_tokens_expires_at" ON "identity"."refresh_tokens" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "sessions_user" ON "identity"."sessions" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "sessions_idle_expires_at" ON "identity"."sessions" USING btree ("idle_expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "signing_keys_current" ON "identity"."signing_keys" USING btree (("retired_at" IS NULL)) WHERE "identity"."signing_keys"."retired_at" IS NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "users_email" ON "identity"."users" USING btree (lower("email"));