CREATE TABLE "identity"."api_key_bindings" (
	"api_key_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"resource_id" uuid NOT NULL,
	CONSTRAINT "api_key_bindings_api_key_id_kind_resource_id_pk" PRIMARY KEY("api_key_id","kind","resource_id"),
	CONSTRAINT "api_key_bindings_kind" CHECK ("identity"."api_key_bindings"."kind" ~ '^[a-z_]{1,40}$')
);
--> statement-breakpoint
CREATE TABLE "identity"."api_key_scopes" (
	"api_key_id" uuid NOT NULL,
	"service_id" uuid NOT NULL,
	"scope" text NOT NULL,
	CONSTRAINT "api_key_scopes_api_key_id_scope_pk" PRIMARY KEY("api_key_id","scope")
);
--> statement-breakpoint
CREATE TABLE "identity"."api_keys" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"service_id" uuid NOT NULL,
	"name" text NOT NULL,
	"mode" text NOT NULL,
	"public_id" text NOT NULL,
	"hash" text NOT NULL,
	"last_four" text NOT NULL,
	"created_by" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"rotated_from" uuid,
	"overlap_ends_at" timestamp (3) with time zone,
	"revoked_at" timestamp (3) with time zone,
	"last_used_at" timestamp (3) with time zone,
	CONSTRAINT "api_keys_public_id" UNIQUE("public_id"),
	CONSTRAINT "api_keys_service" UNIQUE("id","service_id"),
	CONSTRAINT "api_keys_name_length" CHECK (char_length("identity"."api_keys"."name") BETWEEN 1 AND 100),
	CONSTRAINT "api_keys_mode" CHECK ("identity"."api_keys"."mode" IN ('live', 'test')),
	CONSTRAINT "api_keys_public_id_form" CHECK ("identity"."api_keys"."public_id" ~ '^[0-9A-Za-z]{12}$'),
	CONSTRAINT "api_keys_expiry" CHECK ("identity"."api_keys"."created_at" < "identity"."api_keys"."expires_at"),
	CONSTRAINT "api_keys_overlap" CHECK ("identity"."api_keys"."overlap_ends_at" <= "identity"."api_keys"."expires_at")
);
--> statement-breakpoint
ALTER TABLE "identity"."api_key_bindings" ADD CONSTRAINT "api_key_bindings_api_key_id_api_keys_id_fk" FOREIGN KEY ("api_key_id") REFERENCES "identity"."api_keys"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identity"."api_key_scopes" ADD CONSTRAINT "api_key_scopes_api_key" FOREIGN KEY ("api_key_id","service_id") REFERENCES "identity"."api_keys"("id","service_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identity"."api_key_scopes" ADD CONSTRAINT "api_key_scopes_scope" FOREIGN KEY ("service_id","scope") REFERENCES "identity"."service_permissions"("service_id","scope") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identity"."api_keys" ADD CONSTRAINT "api_keys_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "identity"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identity"."api_keys" ADD CONSTRAINT "api_keys_service_id_services_id_fk" FOREIGN KEY ("service_id") REFERENCES "identity"."services"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identity"."api_keys" ADD CONSTRAINT "api_keys_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "identity"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identity"."api_keys" ADD CONSTRAINT "api_keys_rotated_from_api_keys_id_fk" FOREIGN KEY ("rotated_from") REFERENCES "identity"."api_keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "api_keys_organization" ON "identity"."api_keys" USING btree ("organization_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "api_keys_rotated_from" ON "identity"."api_keys" USING btree ("rotated_from");