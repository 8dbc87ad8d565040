CREATE TABLE "identity"."email_changes" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"old_token_hash" text,
	"new_token_hash" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "email_changes_old_token_hash" UNIQUE("old_token_hash"),
	CONSTRAINT "email_changes_new_token_hash" UNIQUE("new_token_hash"),
	CONSTRAINT "email_changes_email_form" CHECK ("identity"."email_changes"."email" = lower("identity"."email_changes"."email"))
);
--> statement-breakpoint
CREATE TABLE "identity"."password_resets" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"token_hash" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "password_resets_token_hash" UNIQUE("token_hash")
);
--> statement-breakpoint
CREATE TABLE "identity"."recovery_emails" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"token_hash" text,
	"expires_at" timestamp (3) with time zone,
	"verified_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "recovery_emails_token_hash" UNIQUE("token_hash"),
	CONSTRAINT "recovery_emails_email_form" CHECK ("identity"."recovery_emails"."email" = lower("identity"."recovery_emails"."email")),
	CONSTRAINT "recovery_emails_verified" CHECK (("identity"."recovery_emails"."verified_at" IS NULL) = ("identity"."recovery_emails"."token_hash" IS NOT NULL) AND ("identity"."recovery_emails"."token_hash" IS NULL) = ("identity"."recovery_emails"."expires_at" IS NULL))
);
--> statement-breakpoint
ALTER TABLE "identity"."email_changes" ADD CONSTRAINT "email_changes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "identity"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identity"."password_resets" ADD CONSTRAINT "password_resets_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "identity"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identity"."recovery_emails" ADD CONSTRAINT "recovery_emails_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "identity"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "email_changes_expires_at" ON "identity"."email_changes" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "password_resets_user" ON "identity"."password_resets" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "password_resets_expires_at" ON "identity"."password_resets" USING btree ("expires_at");