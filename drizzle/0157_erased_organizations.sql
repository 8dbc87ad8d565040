CREATE TABLE "identity"."erased_organizations" (
	"organization_id" uuid PRIMARY KEY NOT NULL,
	"erased_at" timestamp (3) with time zone NOT NULL,
	"swept_by" uuid[] DEFAULT '{}' NOT NULL
);
--> statement-breakpoint
CREATE INDEX "erased_organizations_erased_at" ON "identity"."erased_organizations" USING btree ("erased_at");