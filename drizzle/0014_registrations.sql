CREATE TABLE "identity"."registrations" (
	"id" uuid PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"name" text NOT NULL,
	"password_hash" text NOT NULL,
	"create_organization" boolean NOT NULL,
	"developer_workspace" boolean NOT NULL,
	"organization_name" text,
	"organization_slug" text,
	"token_hash" text NOT NULL,
	"device_hash" text NOT NULL,
	"mails" integer DEFAULT 0 NOT NULL,
	"mailed_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "registrations_token_hash" UNIQUE("token_hash"),
	CONSTRAINT "registrations_email_form" CHECK ("identity"."registrations"."email" = lower("identity"."registrations"."email"))
);
--> statement-breakpoint
CREATE INDEX "registrations_email" ON "identity"."registrations" USING btree ("email","created_at");--> statement-breakpoint
CREATE INDEX "registrations_expires_at" ON "identity"."registrations" USING btree ("expires_at");