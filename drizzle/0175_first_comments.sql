CREATE TABLE "social"."first_comments" (
	"id" uuid PRIMARY KEY NOT NULL,
	"brand_id" uuid NOT NULL,
	"provider" text NOT NULL,
	"external_account" text NOT NULL,
	"state" text DEFAULT 'pending' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"platform_comment_id" text,
	"failure_code" text,
	"failure_message" text,
	"failure_retryable" boolean,
	"waiting_for" jsonb,
	"rate_limited_since" timestamp (3) with time zone,
	"events" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"due_at" timestamp (3) with time zone,
	"lease_owner" uuid,
	"started_at" timestamp (3) with time zone,
	"settled_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "first_comments_state" CHECK ("social"."first_comments"."state" in ('pending', 'sending', 'published', 'failed', 'unknown')),
	CONSTRAINT "first_comments_due_while_open" CHECK (("social"."first_comments"."state" in ('pending', 'sending')) = ("social"."first_comments"."due_at" is not null)),
	CONSTRAINT "first_comments_settled" CHECK (("social"."first_comments"."state" in ('pending', 'sending')) = ("social"."first_comments"."settled_at" is null)),
	CONSTRAINT "first_comments_failure" CHECK (("social"."first_comments"."state" in ('failed', 'unknown')) = ("social"."first_comments"."failure_code" is not null)),
	CONSTRAINT "first_comments_sending" CHECK ("social"."first_comments"."state" <> 'sending' or "social"."first_comments"."started_at" is not null)
);
--> statement-breakpoint
ALTER TABLE "social"."first_comments" ADD CONSTRAINT "first_comments_id_posts_id_fk" FOREIGN KEY ("id") REFERENCES "social"."posts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "social"."first_comments" ADD CONSTRAINT "first_comments_brand_id_brands_id_fk" FOREIGN KEY ("brand_id") REFERENCES "social"."brands"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "first_comments_due" ON "social"."first_comments" USING btree ("due_at") WHERE state in ('pending', 'sending');--> statement-breakpoint
CREATE INDEX "first_comments_failed" ON "social"."first_comments" USING btree ("brand_id","provider") WHERE state in ('failed', 'unknown');