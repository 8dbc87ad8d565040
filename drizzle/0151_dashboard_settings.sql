CREATE TABLE "dashboard"."settings" (
	"organization_id" uuid PRIMARY KEY NOT NULL,
	"widgets" jsonb,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "settings_version" CHECK ("dashboard"."settings"."version" > 0),
	CONSTRAINT "settings_widgets" CHECK ("dashboard"."settings"."widgets" IS NULL OR (jsonb_typeof("dashboard"."settings"."widgets") = 'array' AND jsonb_array_length("dashboard"."settings"."widgets") <= 100))
);
