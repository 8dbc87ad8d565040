CREATE SCHEMA "practice_payments";
--> statement-breakpoint
CREATE TABLE "practice_payments"."behaviors" (
	"account" text PRIMARY KEY NOT NULL,
	"behavior" jsonb NOT NULL,
	"webhooks_left" integer,
	"answers_left" integer,
	"payouts_left" integer
);
--> statement-breakpoint
CREATE TABLE "practice_payments"."deliveries" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "practice_payments"."deliveries_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"account" text NOT NULL,
	"endpoint_account" text NOT NULL,
	"endpoint_id" text NOT NULL,
	"event_id" text NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "practice_payments"."idempotency_keys" (
	"account" text NOT NULL,
	"key" text NOT NULL,
	"digest" text NOT NULL,
	"status" integer NOT NULL,
	"body" text NOT NULL,
	"request_id" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "idempotency_keys_account_key_pk" PRIMARY KEY("account","key")
);
--> statement-breakpoint
CREATE TABLE "practice_payments"."objects" (
	"account" text NOT NULL,
	"id" text NOT NULL,
	"type" text NOT NULL,
	"position" bigint GENERATED ALWAYS AS IDENTITY (sequence name "practice_payments"."objects_position_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"created" integer NOT NULL,
	"is_deleted" boolean DEFAULT false NOT NULL,
	"data" jsonb NOT NULL,
	"hidden" jsonb DEFAULT '{}' NOT NULL,
	CONSTRAINT "objects_account_id_pk" PRIMARY KEY("account","id")
);
--> statement-breakpoint
CREATE TABLE "practice_payments"."tasks" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "practice_payments"."tasks_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"account" text NOT NULL,
	"kind" text NOT NULL,
	"object_id" text NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "deliveries_due" ON "practice_payments"."deliveries" USING btree ("due_at");--> statement-breakpoint
CREATE INDEX "idempotency_by_age" ON "practice_payments"."idempotency_keys" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "objects_by_type" ON "practice_payments"."objects" USING btree ("account","type","position");--> statement-breakpoint
CREATE INDEX "objects_by_id" ON "practice_payments"."objects" USING btree ("id");--> statement-breakpoint
CREATE INDEX "objects_by_data" ON "practice_payments"."objects" USING gin ("data" jsonb_path_ops);--> statement-breakpoint
CREATE INDEX "tasks_due" ON "practice_payments"."tasks" USING btree ("due_at");