CREATE TABLE "dashboard"."launches" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"person_id" uuid NOT NULL,
	"service_id" uuid NOT NULL,
	"surface" text NOT NULL,
	"outcome" text NOT NULL,
	"problem" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "launches_surface" CHECK ("dashboard"."launches"."surface" IN ('switcher', 'catalog', 'widget', 'link')),
	CONSTRAINT "launches_outcome" CHECK ("dashboard"."launches"."outcome" IN ('opened', 'store', 'refused')),
	CONSTRAINT "launches_problem" CHECK (("dashboard"."launches"."problem" IS NOT NULL) = ("dashboard"."launches"."outcome" = 'refused'))
);
--> statement-breakpoint
CREATE INDEX "launches_organization" ON "dashboard"."launches" USING btree ("organization_id","created_at","id");--> statement-breakpoint
CREATE INDEX "launches_person" ON "dashboard"."launches" USING btree ("person_id");--> statement-breakpoint
CREATE INDEX "launches_expiry" ON "dashboard"."launches" USING btree ("created_at");