CREATE SCHEMA "practice_video";
--> statement-breakpoint
CREATE TABLE "practice_video"."behaviors" (
	"project" text PRIMARY KEY NOT NULL,
	"behavior" jsonb NOT NULL,
	"remaining" integer,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "practice_video"."pieces" (
	"upload_id" text NOT NULL,
	"starts_at" bigint NOT NULL,
	"length" integer NOT NULL,
	"sha256" text NOT NULL,
	CONSTRAINT "pieces_upload_id_starts_at_pk" PRIMARY KEY("upload_id","starts_at")
);
--> statement-breakpoint
CREATE TABLE "practice_video"."quota" (
	"project" text NOT NULL,
	"bucket" text NOT NULL,
	"day" date NOT NULL,
	"used" integer NOT NULL,
	CONSTRAINT "quota_project_bucket_day_pk" PRIMARY KEY("project","bucket","day")
);
--> statement-breakpoint
CREATE TABLE "practice_video"."uploads" (
	"id" text PRIMARY KEY NOT NULL,
	"project" text NOT NULL,
	"account" text NOT NULL,
	"parts" jsonb NOT NULL,
	"metadata" jsonb NOT NULL,
	"content_type" text,
	"length" bigint,
	"received" bigint DEFAULT 0 NOT NULL,
	"requests" integer DEFAULT 0 NOT NULL,
	"video_id" text,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "practice_video"."videos" (
	"id" text PRIMARY KEY NOT NULL,
	"upload_id" text NOT NULL,
	"project" text NOT NULL,
	"account" text NOT NULL,
	"metadata" jsonb NOT NULL,
	"content_type" text NOT NULL,
	"length" bigint NOT NULL,
	"sha256" text,
	"thumbnail" jsonb,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "videos_account_created_at_index" ON "practice_video"."videos" USING btree ("account","created_at");