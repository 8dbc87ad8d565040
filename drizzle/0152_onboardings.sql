CREATE TABLE "identity"."organization_onboardings" (
	"organization_id" uuid NOT NULL,
	"service_id" uuid NOT NULL,
	"steps" jsonb NOT NULL,
	"completed_at" timestamp (3) with time zone,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "organization_onboardings_organization_id_service_id_pk" PRIMARY KEY("organization_id","service_id"),
	CONSTRAINT "organization_onboardings_steps" CHECK (jsonb_typeof("identity"."organization_onboardings"."steps") = 'object')
);
--> statement-breakpoint
CREATE TABLE "identity"."person_onboardings" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"steps" jsonb NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "person_onboardings_steps" CHECK (jsonb_typeof("identity"."person_onboardings"."steps") = 'object')
);
--> statement-breakpoint
ALTER TABLE "identity"."organization_onboardings" ADD CONSTRAINT "organization_onboardings_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "identity"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identity"."organization_onboardings" ADD CONSTRAINT "organization_onboardings_service_id_services_id_fk" FOREIGN KEY ("service_id") REFERENCES "identity"."services"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identity"."person_onboardings" ADD CONSTRAINT "person_onboardings_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "identity"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "organization_onboardings_service" ON "identity"."organization_onboardings" USING btree ("service_id");--> statement-breakpoint
-- Organizations and people of earlier releases are set up.
INSERT INTO identity.organization_onboardings (organization_id, service_id, steps, completed_at, updated_at)
SELECT organizations.id, services.id, '{}', now(), now()
FROM identity.organizations CROSS JOIN identity.services
WHERE services.slug = 'platform-dashboard-api';
--> statement-breakpoint
INSERT INTO identity.person_onboardings (user_id, steps, updated_at)
SELECT id, '{"organization": "skipped"}', now() FROM identity.users WHERE principal_type = 'user';
