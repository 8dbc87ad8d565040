CREATE TABLE "identity"."magic_login_tokens" (
	"id" uuid PRIMARY KEY NOT NULL,
	"token_hash" text NOT NULL,
	"user_id" uuid NOT NULL,
	"email" text NOT NULL,
	"organization_id" uuid,
	"redirect_uri" text,
	"skip_interstitial" boolean NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"first_opened_at" timestamp (3) with time zone,
	CONSTRAINT "magic_login_tokens_token_hash" UNIQUE("token_hash"),
	CONSTRAINT "magic_login_tokens_email_form" CHECK ("identity"."magic_login_tokens"."email" = lower("identity"."magic_login_tokens"."email")),
	CONSTRAINT "magic_login_tokens_expiry" CHECK ("identity"."magic_login_tokens"."created_at" < "identity"."magic_login_tokens"."expires_at")
);
--> statement-breakpoint
ALTER TABLE "identity"."magic_login_tokens" ADD CONSTRAINT "magic_login_tokens_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "identity"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identity"."magic_login_tokens" ADD CONSTRAINT "magic_login_tokens_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "identity"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "magic_login_tokens_user" ON "identity"."magic_login_tokens" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE INDEX "magic_login_tokens_organization" ON "identity"."magic_login_tokens" USING btree ("organization_id");--> statement-breakpoint
CREATE INDEX "magic_login_tokens_expires_at" ON "identity"."magic_login_tokens" USING btree ("expires_at");