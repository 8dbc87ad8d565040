CREATE TABLE "payments"."closings" (
	"organization_id" uuid PRIMARY KEY NOT NULL,
	"tries" integer NOT NULL,
	"tried_at" timestamp (3) with time zone NOT NULL
);
