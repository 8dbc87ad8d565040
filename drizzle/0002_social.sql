CREATE SCHEMA "social";
--> statement-breakpoint
CREATE TABLE "social"."brands" (
	"id" uuid PRIMARY KEY NOT NULL,
	"platform_org_id" uuid NOT NULL,
	"name" text NOT NULL,
	"slug" text NOT NULL,
	"time_zone" text NOT NULL,
	"logo_url" text,
	"colors" text[] DEFAULT '{}' NOT NULL,
	"voice" text,
	"default_hashtags" text[] DEFAULT '{}' NOT NULL,
	"queue_slots" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"review_policy" jsonb DEFAULT '{"approvals":0}'::jsonb NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "brands_slug" UNIQUE("platform_org_id","slug")
);
--> statement-breakpoint
CREATE TABLE "social"."connections" (
	"id" uuid PRIMARY KEY NOT NULL,
	"brand_id" uuid NOT NULL,
	"provider" text NOT NULL,
	"owner_id" uuid NOT NULL,
	"active" boolean DEFAULT true NOT NULL,
	"external_id" text NOT NULL,
	"name" text NOT NULL,
	"metadata" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"sealed_tokens" text,
	"scopes" text[] DEFAULT '{}' NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"health" text DEFAULT 'ok' NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"deactivated_at" timestamp (3) with time zone,
	CONSTRAINT "connections_account" UNIQUE("brand_id","provider","external_id","owner_id"),
	CONSTRAINT "connections_health" CHECK ("social"."connections"."health" in ('ok', 'signed_out', 'expired')),
	CONSTRAINT "connections_active" CHECK ("social"."connections"."active" = ("social"."connections"."deactivated_at" is null))
);
--> statement-breakpoint
CREATE TABLE "social"."posts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"brand_id" uuid NOT NULL,
	"group_id" uuid,
	"thread_id" uuid,
	"position" integer DEFAULT 0 NOT NULL,
	"author_id" uuid NOT NULL,
	"provider" text NOT NULL,
	"status" text DEFAULT 'draft' NOT NULL,
	"text" text NOT NULL,
	"media" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"first_comment" text,
	"link_preview" jsonb,
	"tags" text[] DEFAULT '{}' NOT NULL,
	"campaign" text,
	"scheduled_at" timestamp (3) with time zone,
	"time_zone" text,
	"target" jsonb,
	"platform_post_id" text,
	"permalink" text,
	"published_at" timestamp (3) with time zone,
	"external_account" text,
	"failure_code" text,
	"failure_message" text,
	"failed_at" timestamp (3) with time zone,
	"failure_retryable" boolean,
	"review_state" text DEFAULT 'none' NOT NULL,
	"waiting_for" jsonb,
	"due_at" timestamp (3) with time zone,
	"lease_owner" uuid,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"sort_at" timestamp (3) with time zone GENERATED ALWAYS AS (coalesce(scheduled_at, created_at)) STORED NOT NULL,
	CONSTRAINT "posts_status" CHECK ("social"."posts"."status" in ('draft', 'scheduled', 'published', 'failed')),
	CONSTRAINT "posts_scheduled" CHECK ("social"."posts"."status" <> 'scheduled' or ("social"."posts"."scheduled_at" is not null and "social"."posts"."due_at" is not null)),
	CONSTRAINT "posts_draft" CHECK ("social"."posts"."status" <> 'draft' or ("social"."posts"."scheduled_at" is null and "social"."posts"."due_at" is null)),
	CONSTRAINT "posts_published" CHECK ("social"."posts"."status" <> 'published' or "social"."posts"."platform_post_id" is not null or "social"."posts"."permalink" is not null),
	CONSTRAINT "posts_failed" CHECK (("social"."posts"."status" = 'failed') = ("social"."posts"."failure_code" is not null and "social"."posts"."failed_at" is not null)),
	CONSTRAINT "posts_waiting" CHECK ("social"."posts"."waiting_for" is null or "social"."posts"."status" = 'scheduled'),
	CONSTRAINT "posts_position" CHECK ("social"."posts"."position" >= 0 and ("social"."posts"."thread_id" is not null or "social"."posts"."position" = 0))
);
--> statement-breakpoint
CREATE TABLE "social"."publish_attempts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"brand_id" uuid NOT NULL,
	"post_id" uuid NOT NULL,
	"number" integer NOT NULL,
	"connection_id" uuid NOT NULL,
	"provider" text NOT NULL,
	"external_account" text NOT NULL,
	"state" text DEFAULT 'sending' NOT NULL,
	"retry_safety" text NOT NULL,
	"payload_hash" text NOT NULL,
	"payload" jsonb NOT NULL,
	"lease_owner" uuid NOT NULL,
	"events" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"settled_at" timestamp (3) with time zone,
	CONSTRAINT "publish_attempts_number" UNIQUE("post_id","number"),
	CONSTRAINT "publish_attempts_state" CHECK ("social"."publish_attempts"."state" in ('sending', 'published', 'failed', 'unknown', 'not_arrived')),
	CONSTRAINT "publish_attempts_settled" CHECK (("social"."publish_attempts"."state" = 'sending') = ("social"."publish_attempts"."settled_at" is null)),
	CONSTRAINT "publish_attempts_safety" CHECK ("social"."publish_attempts"."retry_safety" in ('safe', 'idempotent', 'reconcile_only', 'never'))
);
--> statement-breakpoint
CREATE TABLE "social"."sandbox_behaviors" (
	"handle" text PRIMARY KEY NOT NULL,
	"behavior" jsonb NOT NULL,
	"remaining" integer
);
--> statement-breakpoint
CREATE TABLE "social"."sandbox_receipts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"handle" text NOT NULL,
	"text" text NOT NULL,
	"reply_to" uuid,
	"received_at" timestamp (3) with time zone DEFAULT date_trunc('milliseconds', clock_timestamp()) NOT NULL
);
--> statement-breakpoint
ALTER TABLE "social"."connections" ADD CONSTRAINT "connections_brand_id_brands_id_fk" FOREIGN KEY ("brand_id") REFERENCES "social"."brands"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "social"."posts" ADD CONSTRAINT "posts_brand_id_brands_id_fk" FOREIGN KEY ("brand_id") REFERENCES "social"."brands"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "social"."publish_attempts" ADD CONSTRAINT "publish_attempts_brand_id_brands_id_fk" FOREIGN KEY ("brand_id") REFERENCES "social"."brands"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "social"."publish_attempts" ADD CONSTRAINT "publish_attempts_post_id_posts_id_fk" FOREIGN KEY ("post_id") REFERENCES "social"."posts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "social"."publish_attempts" ADD CONSTRAINT "publish_attempts_connection_id_connections_id_fk" FOREIGN KEY ("connection_id") REFERENCES "social"."connections"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "posts_newest" ON "social"."posts" USING btree ("brand_id","sort_at","id");--> statement-breakpoint
CREATE INDEX "posts_due" ON "social"."posts" USING btree ("due_at") WHERE status = 'scheduled';--> statement-breakpoint
CREATE UNIQUE INDEX "posts_thread" ON "social"."posts" USING btree ("thread_id","position");--> statement-breakpoint
CREATE INDEX "posts_group" ON "social"."posts" USING btree ("group_id") WHERE group_id is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "posts_delivered" ON "social"."posts" USING btree ("provider","external_account","platform_post_id") WHERE platform_post_id is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "publish_attempts_sending" ON "social"."publish_attempts" USING btree ("post_id") WHERE state = 'sending';--> statement-breakpoint
CREATE UNIQUE INDEX "publish_attempts_lane" ON "social"."publish_attempts" USING btree ("provider","external_account") WHERE state = 'sending';--> statement-breakpoint
CREATE INDEX "sandbox_receipts_timeline" ON "social"."sandbox_receipts" USING btree ("handle","received_at","id");