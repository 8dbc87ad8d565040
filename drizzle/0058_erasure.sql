CREATE TABLE "identity"."organization_erasures" (
	"organization_id" uuid NOT NULL,
	"service_id" uuid NOT NULL,
	"erased_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "organization_erasures_organization_id_service_id_pk" PRIMARY KEY("organization_id","service_id")
);
--> statement-breakpoint
ALTER TABLE "identity"."developer_apps" DROP CONSTRAINT "developer_apps_handoff_uri";--> statement-breakpoint
ALTER TABLE "identity"."users" ADD COLUMN "erased_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "identity"."organization_erasures" ADD CONSTRAINT "organization_erasures_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "identity"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identity"."organization_erasures" ADD CONSTRAINT "organization_erasures_service_id_services_id_fk" FOREIGN KEY ("service_id") REFERENCES "identity"."services"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identity"."developer_apps" ADD CONSTRAINT "developer_apps_handoff_uri" CHECK ("identity"."developer_apps"."handoff_uri" IS NULL OR "identity"."developer_apps"."handoff_uri" = ANY ("identity"."developer_apps"."redirect_uris"));