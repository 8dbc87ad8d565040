CREATE TABLE "identity"."membership_resources" (
	"organization_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"service_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"resource_id" uuid NOT NULL,
	"role" text NOT NULL,
	CONSTRAINT "membership_resources_organization_id_user_id_service_id_kind_resource_id_pk" PRIMARY KEY("organization_id","user_id","service_id","kind","resource_id"),
	CONSTRAINT "membership_resources_role" CHECK ("identity"."membership_resources"."role" IN ('viewer', 'reviewer', 'editor'))
);
--> statement-breakpoint
ALTER TABLE "identity"."membership_resources" ADD CONSTRAINT "membership_resources_membership" FOREIGN KEY ("organization_id","user_id") REFERENCES "identity"."memberships"("organization_id","user_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identity"."membership_resources" ADD CONSTRAINT "membership_resources_resource" FOREIGN KEY ("service_id","kind","resource_id") REFERENCES "identity"."bindable_resources"("service_id","kind","resource_id") ON DELETE no action ON UPDATE no action;