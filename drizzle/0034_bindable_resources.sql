CREATE TABLE "identity"."bindable_resources" (
	"service_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"resource_id" uuid NOT NULL,
	"organization_id" uuid NOT NULL,
	"name" text NOT NULL,
	"version" bigint NOT NULL,
	"deleted_at" timestamp (3) with time zone,
	CONSTRAINT "bindable_resources_service_id_kind_resource_id_pk" PRIMARY KEY("service_id","kind","resource_id"),
	CONSTRAINT "bindable_resources_kind" CHECK ("identity"."bindable_resources"."kind" ~ '^[a-z_]{1,40}$'),
	CONSTRAINT "bindable_resources_name_length" CHECK (char_length("identity"."bindable_resources"."name") BETWEEN 1 AND 200)
);
--> statement-breakpoint
ALTER TABLE "identity"."bindable_resources" ADD CONSTRAINT "bindable_resources_service_id_services_id_fk" FOREIGN KEY ("service_id") REFERENCES "identity"."services"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identity"."bindable_resources" ADD CONSTRAINT "bindable_resources_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "identity"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "bindable_resources_listed" ON "identity"."bindable_resources" USING btree ("organization_id","service_id","name","resource_id") WHERE "identity"."bindable_resources"."deleted_at" IS NULL;