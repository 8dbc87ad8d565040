CREATE TABLE "identity"."upstream_identities" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"provider" text NOT NULL,
	"issuer" text NOT NULL,
	"subject" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "upstream_identities_subject" UNIQUE("issuer","subject")
);
--> statement-breakpoint
CREATE TABLE "identity"."upstream_sign_ins" (
	"id" uuid PRIMARY KEY NOT NULL,
	"state_hash" text NOT NULL,
	"device_hash" text NOT NULL,
	"provider" text NOT NULL,
	"user_id" uuid,
	"next" text,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "upstream_sign_ins_state_hash" UNIQUE("state_hash")
);
--> statement-breakpoint
ALTER TABLE "identity"."upstream_identities" ADD CONSTRAINT "upstream_identities_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "identity"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identity"."upstream_sign_ins" ADD CONSTRAINT "upstream_sign_ins_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "identity"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "upstream_identities_user" ON "identity"."upstream_identities" USING btree ("user_id","id");--> statement-breakpoint
CREATE INDEX "upstream_sign_ins_expires_at" ON "identity"."upstream_sign_ins" USING btree ("expires_at");