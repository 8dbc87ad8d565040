CREATE TABLE "identity"."spent_service_tokens" (
	"jti" uuid PRIMARY KEY NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "spent_service_tokens_expires_at" ON "identity"."spent_service_tokens" USING btree ("expires_at");