CREATE TABLE "gateway"."social_token_refreshes" (
	"id" uuid PRIMARY KEY NOT NULL,
	"account_id" uuid NOT NULL,
	"organization_id" uuid NOT NULL,
	"token_digest" text NOT NULL,
	"owner" uuid,
	"claim_ends_at" timestamp (3) with time zone,
	"sealed_response" text,
	"next_digest" text,
	"responded_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "social_token_refreshes_token" UNIQUE("account_id","organization_id","token_digest"),
	CONSTRAINT "social_token_refreshes_state" CHECK ((num_nonnulls("gateway"."social_token_refreshes"."owner", "gateway"."social_token_refreshes"."claim_ends_at"), num_nonnulls("gateway"."social_token_refreshes"."sealed_response", "gateway"."social_token_refreshes"."next_digest", "gateway"."social_token_refreshes"."responded_at")) IN ((2, 0), (0, 3)))
);
--> statement-breakpoint
CREATE INDEX "social_token_refreshes_organization" ON "gateway"."social_token_refreshes" USING btree ("organization_id");--> statement-breakpoint
CREATE INDEX "social_token_refreshes_created" ON "gateway"."social_token_refreshes" USING btree ("created_at");