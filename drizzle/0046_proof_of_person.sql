CREATE TABLE "identity"."proof_codes" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"hash" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "identity"."passkey_challenges" ADD COLUMN "proves_only" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "identity"."proof_codes" ADD CONSTRAINT "proof_codes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "identity"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "proof_codes_expires_at" ON "identity"."proof_codes" USING btree ("expires_at");