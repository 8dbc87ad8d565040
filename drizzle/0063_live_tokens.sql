CREATE TABLE "platform"."live_tokens" (
	"id" uuid PRIMARY KEY NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "live_tokens_expires_at" ON "platform"."live_tokens" USING btree ("expires_at");