CREATE TABLE "identity"."account_erasures" (
	"user_id" uuid NOT NULL,
	"service_id" uuid NOT NULL,
	"erased_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "account_erasures_user_id_service_id_pk" PRIMARY KEY("user_id","service_id")
);
--> statement-breakpoint
ALTER TABLE "identity"."account_erasures" ADD CONSTRAINT "account_erasures_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "identity"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identity"."account_erasures" ADD CONSTRAINT "account_erasures_service_id_services_id_fk" FOREIGN KEY ("service_id") REFERENCES "identity"."services"("id") ON DELETE cascade ON UPDATE no action;