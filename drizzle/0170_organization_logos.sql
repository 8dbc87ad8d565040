CREATE TABLE "identity"."organization_logos" (
	"organization_id" uuid PRIMARY KEY NOT NULL,
	"image" "bytea" NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "organization_logos_size" CHECK (octet_length("identity"."organization_logos"."image") BETWEEN 1 AND 1048576)
);
--> statement-breakpoint
ALTER TABLE "identity"."organizations" ADD COLUMN "logo_sha256" text;--> statement-breakpoint
ALTER TABLE "identity"."organization_logos" ADD CONSTRAINT "organization_logos_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "identity"."organizations"("id") ON DELETE cascade ON UPDATE no action;