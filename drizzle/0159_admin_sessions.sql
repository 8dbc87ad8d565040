CREATE TABLE "dashboard"."admin_sessions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"person_id" uuid NOT NULL,
	"credential_id" text NOT NULL,
	"token_hash" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX "admin_sessions_token" ON "dashboard"."admin_sessions" USING btree ("token_hash");--> statement-breakpoint
CREATE INDEX "admin_sessions_credential" ON "dashboard"."admin_sessions" USING btree ("credential_id");--> statement-breakpoint
CREATE INDEX "admin_sessions_person" ON "dashboard"."admin_sessions" USING btree ("person_id");--> statement-breakpoint
CREATE INDEX "admin_sessions_expiry" ON "dashboard"."admin_sessions" USING btree ("expires_at");--> statement-breakpoint
ALTER TABLE "dashboard"."inquiries" ADD CONSTRAINT "inquiries_confirmed" CHECK ("dashboard"."inquiries"."confirmed_at" IS NULL OR "dashboard"."inquiries"."kind" = 'waitlist');