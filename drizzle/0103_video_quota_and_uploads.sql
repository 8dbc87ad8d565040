CREATE TABLE "gateway"."video_quota" (
	"project" text NOT NULL,
	"bucket" text NOT NULL,
	"day" date NOT NULL,
	"used" integer NOT NULL,
	"exhausted_at" timestamp (3) with time zone,
	CONSTRAINT "video_quota_project_bucket_day_pk" PRIMARY KEY("project","bucket","day"),
	CONSTRAINT "video_quota_used" CHECK ("gateway"."video_quota"."used" >= 0)
);
--> statement-breakpoint
CREATE TABLE "gateway"."video_quota_limits" (
	"project" text NOT NULL,
	"bucket" text NOT NULL,
	"units_per_day" integer NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "video_quota_limits_project_bucket_pk" PRIMARY KEY("project","bucket"),
	CONSTRAINT "video_quota_limits_units" CHECK ("gateway"."video_quota_limits"."units_per_day" >= 0)
);
--> statement-breakpoint
CREATE TABLE "gateway"."video_quota_shares" (
	"organization_id" uuid NOT NULL,
	"project" text NOT NULL,
	"bucket" text NOT NULL,
	"day" date NOT NULL,
	"units" integer NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "video_quota_shares_organization_id_day_project_bucket_pk" PRIMARY KEY("organization_id","day","project","bucket")
);
--> statement-breakpoint
CREATE TABLE "gateway"."video_uploads" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"application_id" text,
	"user_id" uuid,
	"project" text NOT NULL,
	"sealed_session" text NOT NULL,
	"base_url" text NOT NULL,
	"content_type" text NOT NULL,
	"length" bigint NOT NULL,
	"received" bigint DEFAULT 0 NOT NULL,
	"state" text DEFAULT 'uploading' NOT NULL,
	"video_id" text,
	"privacy" text,
	"writer" uuid,
	"writer_ends_at" timestamp (3) with time zone,
	"sent_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "video_uploads_state" CHECK ("gateway"."video_uploads"."state" IN ('uploading', 'finishing', 'completed')),
	CONSTRAINT "video_uploads_video" CHECK (("gateway"."video_uploads"."state" = 'completed') = ("gateway"."video_uploads"."video_id" IS NOT NULL)),
	CONSTRAINT "video_uploads_received" CHECK ("gateway"."video_uploads"."received" BETWEEN 0 AND "gateway"."video_uploads"."length")
);
--> statement-breakpoint
CREATE INDEX "video_uploads_organization" ON "gateway"."video_uploads" USING btree ("organization_id");--> statement-breakpoint
CREATE INDEX "video_uploads_created" ON "gateway"."video_uploads" USING btree ("created_at");