CREATE TABLE "identity"."organization_sign_ins" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"issuer" text NOT NULL,
	"client_id" text NOT NULL,
	"sealed_secret" text NOT NULL,
	"domains" text[] NOT NULL,
	"required" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "organization_sign_ins_organization" UNIQUE("organization_id"),
	CONSTRAINT "organization_sign_ins_domains" CHECK (cardinality("identity"."organization_sign_ins"."domains") BETWEEN 1 AND 20)
);
--> statement-breakpoint
ALTER TABLE "identity"."sessions" ADD COLUMN "only_in" uuid;--> statement-breakpoint
ALTER TABLE "identity"."organization_sign_ins" ADD CONSTRAINT "organization_sign_ins_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "identity"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identity"."sessions" ADD CONSTRAINT "sessions_only_in_organizations_id_fk" FOREIGN KEY ("only_in") REFERENCES "identity"."organizations"("id") ON DELETE cascade ON UPDATE no action;