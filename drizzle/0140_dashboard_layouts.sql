CREATE TABLE "dashboard"."layouts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"person_id" uuid NOT NULL,
	"widgets" jsonb NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "layouts_version" CHECK ("dashboard"."layouts"."version" > 0),
	CONSTRAINT "layouts_widgets" CHECK (jsonb_typeof("dashboard"."layouts"."widgets") = 'array' AND jsonb_array_length("dashboard"."layouts"."widgets") <= 100)
);
--> statement-breakpoint
CREATE UNIQUE INDEX "layouts_owner" ON "dashboard"."layouts" USING btree ("person_id","organization_id");--> statement-breakpoint
CREATE INDEX "layouts_organization" ON "dashboard"."layouts" USING btree ("organization_id");