CREATE TABLE "identity"."account_deletions" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"requested_at" timestamp (3) with time zone NOT NULL,
	"deletes_at" timestamp (3) with time zone NOT NULL,
	"reminded_at" timestamp (3) with time zone,
	"cancel_token_hash" text,
	"cancel_expires_at" timestamp (3) with time zone,
	CONSTRAINT "account_deletions_cancel_token_hash" UNIQUE("cancel_token_hash"),
	CONSTRAINT "account_deletions_deletes_at_later" CHECK ("identity"."account_deletions"."deletes_at" > "identity"."account_deletions"."requested_at"),
	CONSTRAINT "account_deletions_cancel" CHECK (("identity"."account_deletions"."cancel_token_hash" IS NULL) = ("identity"."account_deletions"."cancel_expires_at" IS NULL))
);
--> statement-breakpoint
ALTER TABLE "identity"."account_deletions" ADD CONSTRAINT "account_deletions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "identity"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "account_deletions_deletes_at" ON "identity"."account_deletions" USING btree ("deletes_at");