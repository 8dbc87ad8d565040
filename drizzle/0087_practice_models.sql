CREATE SCHEMA "practice_models";
--> statement-breakpoint
CREATE TABLE "practice_models"."behaviors" (
	"model" text NOT NULL,
	"key_digest" text NOT NULL,
	"behavior" jsonb NOT NULL,
	"remaining" integer,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "behaviors_model_key_digest_pk" PRIMARY KEY("model","key_digest")
);
