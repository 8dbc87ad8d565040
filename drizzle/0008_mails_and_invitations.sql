CREATE TABLE "identity"."invitations" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"email" text NOT NULL,
	"role" text NOT NULL,
	"token_hash" text NOT NULL,
	"invited_by" uuid,
	"mail_id" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "invitations_token_hash" UNIQUE("token_hash"),
	CONSTRAINT "invitations_email" UNIQUE("organization_id","email"),
	CONSTRAINT "invitations_email_form" CHECK ("identity"."invitations"."email" = lower("identity"."invitations"."email")),
	CONSTRAINT "invitations_role" CHECK ("identity"."invitations"."role" IN ('viewer', 'reviewer', 'editor', 'admin', 'owner'))
);
--> statement-breakpoint
CREATE TABLE "platform"."mails" (
	"id" uuid PRIMARY KEY NOT NULL,
	"recipient" text NOT NULL,
	"subject" text NOT NULL,
	"sealed_content" text,
	"state" text NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"problem" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"settled_at" timestamp (3) with time zone,
	CONSTRAINT "mails_state" CHECK ("platform"."mails"."state" IN ('waiting', 'sent', 'refused', 'kept')),
	CONSTRAINT "mails_settled" CHECK (("platform"."mails"."settled_at" IS NULL) = ("platform"."mails"."state" = 'waiting')),
	CONSTRAINT "mails_content" CHECK ("platform"."mails"."state" <> 'waiting' OR "platform"."mails"."sealed_content" IS NOT NULL)
);
--> statement-breakpoint
ALTER TABLE "identity"."invitations" ADD CONSTRAINT "invitations_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "identity"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identity"."invitations" ADD CONSTRAINT "invitations_invited_by_users_id_fk" FOREIGN KEY ("invited_by") REFERENCES "identity"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "invitations_invited_by" ON "identity"."invitations" USING btree ("invited_by");--> statement-breakpoint
CREATE INDEX "mails_created_at" ON "platform"."mails" USING btree ("created_at");