"""The designs of the second set, defined before anything was fitted: source rows to events, one function each.

Each returns columns `group`, the factors of the bin (all the others) and `positive`, the outcome; with `n` where a
row stands for several events.
"""

import numpy as np
import pandas as pd
from classes import classes, events, joined, kept_levels, quantile_classes, two_digits


def gss_female(rows: pd.DataFrame) -> pd.DataFrame:
    marital = {"Married": "married", "Never Married": "never"}
    marital |= dict.fromkeys(["Divorced", "Widowed", "Separated"], "former")
    return events(
        group=rows["occ10"],
        income=quantile_classes(rows["realrinc"], 6),
        work=kept_levels(rows["wrkstat"], ["Full-Time", "Part-Time"]),
        marital=rows["maritalcat"].map(marital),
        positive=rows["gender"].eq("Female").where(rows["gender"].notna()),
    )


def census_college(rows: pd.DataFrame) -> pd.DataFrame:
    return events(
        group=rows["state"],
        income=quantile_classes(rows["lweekinc"], 8),
        experience=quantile_classes(rows["exper"], 4),
        positive=rows["educ"] >= 16,
    )


def scorecard_bachelor(rows: pd.DataFrame) -> pd.DataFrame:
    return events(
        group=joined(rows["state_abbr"], rows["year"]),
        earnings=quantile_classes(rows["earnings_med"], 6),
        working=quantile_classes(rows["count_working"], 5),
        positive=rows["pred_degree_awarded_ipeds"] == 3,
    )


def house_democrat(rows: pd.DataFrame) -> pd.DataFrame:
    return events(
        group=joined(rows["state"], rows["year"] // 10 * 10),
        score=quantile_classes(rows["score"], 10),
        vote_before=classes(rows["lagdemvoteshare"], [-0.1, 0.45, 0.55, 1.1]),
        positive=rows["democrat"],
    )


def nass_belt(rows: pd.DataFrame) -> pd.DataFrame:
    speed = {"1-9km/h": 0, "10-24": 0, "25-39": 1, "40-54": 2, "55+": 2}
    return events(
        group=joined(two_digits(rows["ageOFocc"]), rows["sex"]),
        severity=rows["injSeverity"].where(rows["injSeverity"] <= 5).clip(upper=4),
        dead=rows["dead"].eq("dead"),
        speed=rows["dvcat"].map(speed),
        positive=rows["seatbelt"] == "belted",
    )


def monica_dead(rows: pd.DataFrame) -> pd.DataFrame:
    return events(
        group=joined(rows["age"], rows["sex"]),
        hospital=rows["hosp"],
        infarction=rows["premi"],
        smoking=rows["smstat"],
        pressure=rows["highbp"],
        positive=rows["outcome"] == "dead",
    )


def race_female(rows: pd.DataFrame) -> pd.DataFrame:
    return events(
        group=rows["age"],
        time=quantile_classes(rows["net"], 10),
        state=kept_levels(rows["state"], ["VA", "MD", "DC"]),
        positive=rows["sex"] == "F",
    )


def tweets_android(rows: pd.DataFrame) -> pd.DataFrame:
    time = pd.to_datetime(rows["created_at"], utc=True)
    inside = (time >= "2013-02-01") & (time < "2017-04-01")
    rows, time = rows[inside], time[inside]
    week = time.dt.isocalendar()
    return events(
        group=joined(week["year"], two_digits(week["week"])),
        hours=time.dt.hour // 4,
        link=rows["text"].str.contains("http"),
        hashtag=rows["text"].str.contains("#"),
        mention=rows["text"].str.contains("@"),
        positive=rows["source"] == "Twitter for Android",
    )


def military_officer(rows: pd.DataFrame) -> pd.DataFrame:
    rows = rows[rows["grade"].isin(["officer", "enlisted"])]
    hispanic = rows["hisp"].map({True: "h", False: "n"})
    return events(
        group=joined(rows["branch"], rows["race"].str.replace("/", "_"), hispanic),
        rank=rows["rank"],
        sex=rows["gender"],
        positive=rows["grade"] == "officer",
    )


def nyc_rain(rows: pd.DataFrame) -> pd.DataFrame:
    return events(
        group=joined(rows["origin"], two_digits(rows["month"]), two_digits(rows["day"])),
        humidity=quantile_classes(rows["humid"], 6),
        visibility=classes(rows["visib"], [-1, 4.99, 9.99, 99]),
        wind=quantile_classes(rows["wind_speed"], 3),
        positive=(rows["precip"] > 0).where(rows["precip"].notna()),
    )


def seattle_rain(rows: pd.DataFrame) -> pd.DataFrame:
    return events(
        group=pd.to_datetime(rows["date"]).dt.strftime("%Y-%m"),
        range=quantile_classes(rows["temp_max"] - rows["temp_min"], 5),
        wind=quantile_classes(rows["wind"], 3),
        coldest=quantile_classes(rows["temp_min"], 3),
        positive=rows["precipitation"] > 0,
    )


FREQUENT_OFFENCES = [
    "MISCELLANEOUS PENAL LAW",
    "ASSAULT 3 & RELATED OFFENSES",
    "FELONY ASSAULT",
    "OFF. AGNST PUB ORD SENSBLTY &",
    "CRIMINAL MISCHIEF & RELATED OF",
]


def hate_jewish(rows: pd.DataFrame) -> pd.DataFrame:
    rows = rows.drop_duplicates("Full Complaint ID")
    return events(
        group=rows["Complaint Precinct Code"],
        offence=kept_levels(rows["Offense Description"], FREQUENT_OFFENCES),
        year=rows["Complaint Year Number"],
        positive=rows["Bias Motive Description"] == "ANTI-JEWISH",
    )


def thyroid_dx(rows: pd.DataFrame) -> pd.DataFrame:
    rows = rows[rows["age"] <= 100]
    five_years = (rows["age"] // 5 * 5).astype(str).str.zfill(3)
    return events(
        group=joined(rows["referral_source"], five_years),
        tsh=classes(rows["TSH"], [-1, 0.3, 1, 2.5, 6, 1e4]),
        tt4=quantile_classes(rows["TT4"], 4),
        positive=rows["target"] != "-",
    )


def diamonds_carat(rows: pd.DataFrame) -> pd.DataFrame:
    order = {"Fair": 0, "Good": 1, "Very Good": 2, "Premium": 3, "Ideal": 4}
    return events(
        group=joined(rows["color"], rows["clarity"]),
        price=quantile_classes(rows["price"], 8),
        cut=rows["cut"].map(order),
        positive=rows["carat"] >= 1,
    )


def chile_yes(rows: pd.DataFrame) -> pd.DataFrame:
    rows = rows[rows["vote"].isin(["Y", "N"])]
    return events(
        group=joined(rows["region"], rows["population"].astype(str).str.zfill(6)),
        status_quo=quantile_classes(rows["statusquo"], 6),
        education=rows["education"].map({"P": 0, "S": 1, "PS": 2}),
        sex=rows["sex"],
        positive=rows["vote"] == "Y",
    )


def vietnam_farm(rows: pd.DataFrame) -> pd.DataFrame:
    return events(
        group=rows["commune"],
        expenditure=quantile_classes(rows["lntotal"], 5),
        size=classes(rows["hhsize"], [0, 3, 5, 99]),
        schooling=quantile_classes(rows["educyr"], 3),
        positive=rows["farm"] == "yes",
    )


def student_pared(rows: pd.DataFrame) -> pd.DataFrame:
    return events(
        group=rows["SCH_ID"],
        score=quantile_classes(rows["score"], 5),
        income=classes(rows["income"], [0, 7, 8, 9, 10, 11, 99]),
        positive=rows["pared"],
    )


def rice_high(rows: pd.DataFrame) -> pd.DataFrame:
    return events(
        group=rows["id"],
        **{"yield": quantile_classes(rows["goutput"] / rows["size"], 4)},
        urea=quantile_classes(rows["urea"] / rows["size"], 4),
        positive=rows["varieties"] == "high",
    )


def twoyear_ba(rows: pd.DataFrame) -> pd.DataFrame:
    return events(
        group=rows["phsrank"],
        wage=quantile_classes(rows["lwage"], 6),
        experience=quantile_classes(rows["exper"], 4),
        female=rows["female"],
        positive=rows["BA"],
    )


def pbc_hepato(rows: pd.DataFrame) -> pd.DataFrame:
    return events(
        group=rows["id"],
        bilirubin=quantile_classes(rows["bili"], 4),
        albumin=quantile_classes(rows["albumin"], 3),
        spiders=rows["spiders"],
        positive=rows["hepato"],
    )


def ucla_graduate(rows: pd.DataFrame) -> pd.DataFrame:
    number = rows["course_numeric"]
    return events(
        group=rows["subject"],
        seminar=rows["seminar"],
        ind_study=rows["ind_study"],
        special_topic=rows["special_topic"],
        laboratory=rows["laboratory"],
        internship=rows["internship"],
        positive=(number >= 200).where(number.notna()),
    )


def lahman_starter(pitching: pd.DataFrame) -> pd.DataFrame:
    rows = pitching[pitching["yearID"].between(1990, 2019) & (pitching["IPouts"] >= 15)]
    return events(
        group=joined(rows["teamID"], rows["yearID"]),
        strikeouts=quantile_classes(rows["SO"], 5),
        earned_runs=quantile_classes(rows["ER"] * 27 / rows["IPouts"], 3),
        saves=rows["SV"] > 0,
        positive=2 * rows["GS"] >= rows["G"],
    )


def census_income(rows: pd.DataFrame) -> pd.DataFrame:
    order = {9: 0, 10: 0, 11: 0, 12: 1, 13: 2, 14: 3, 16: 4}
    return events(
        group=joined(rows["state"], rows["puma"].astype(str).str.zfill(5)),
        schooling=rows["educ"].map(order),
        experience=quantile_classes(rows["exper"], 5),
        positive=rows["lweekinc"] > rows["lweekinc"].median(),
    )


def mortgage_home(rows: pd.DataFrame) -> pd.DataFrame:
    return events(
        group=rows["bpl"],
        veteran=rows["vet_wwko"],
        non_white=rows["nonwhite"],
        cohort=quantile_classes(rows["qob_minus_kw"], 6),
        positive=rows["home_ownership"],
    )


def thornton_got(rows: pd.DataFrame) -> pd.DataFrame:
    return events(
        group=rows["villnum"],
        incentive=classes(rows["tinc"], [-1, 0, 0.6, 1.2, 1.8, 9]),
        age=quantile_classes(rows["age"], 3),
        far=rows["distvct"] > 1.5,
        positive=rows["got"],
    )


def escort_unsafe(rows: pd.DataFrame) -> pd.DataFrame:
    return events(
        group=rows["id"],
        regular=rows["reg"],
        hotel=rows["hot"],
        age=classes(rows["age_cl"], [0, 38, 50, 99]),
        massage=rows["massage_cl"],
        positive=rows["unsafe"],
    )


def vietnam_insured(rows: pd.DataFrame) -> pd.DataFrame:
    # The column age is a logarithm in the file.
    return events(
        group=rows["commune"],
        age=classes(np.exp(rows["age"]), [0, 10, 18, 35, 50, 200]),
        diploma=classes(rows["educ"], [-1, 1, 3, 99]),
        expenditure=quantile_classes(rows["lnhhexp"], 4),
        positive=rows["insurance"],
    )


def benefits_ui(rows: pd.DataFrame) -> pd.DataFrame:
    return events(
        group=rows["state"],
        reason=rows["joblost"],
        tenure=classes(rows["tenure"], [0, 1, 3, 8, 99]),
        metropolitan=rows["smsa"],
        positive=rows["ui"] == "yes",
    )


def college_degree(rows: pd.DataFrame) -> pd.DataFrame:
    return events(
        group=rows["tuition"].round(5),
        score=quantile_classes(rows["score"], 5),
        father=rows["fcollege"].eq("yes"),
        mother=rows["mcollege"].eq("yes"),
        income=rows["income"].map({"low": 0, "high": 1}),
        positive=rows["education"] >= 16,
    )


def covid_positive(rows: pd.DataFrame) -> pd.DataFrame:
    rows = rows[rows["result"].isin(["positive", "negative"])]
    return events(
        group=rows["clinic_name"],
        age=classes(rows["age"], [-1, 4, 11, 18, 200]),
        drive_through=rows["drive_thru_ind"],
        period=classes(rows["pan_day"], [0, 35, 70, 200]),
        sex=rows["gender"],
        positive=rows["result"] == "positive",
    )


def polls_clinton(rows: pd.DataFrame) -> pd.DataFrame:
    grade = rows["grade"].astype(object).map(lambda v: "none" if pd.isna(v) else v[0].replace("D", "C"))
    edges = pd.to_datetime(["2014-01-01", "2016-06-30", "2016-08-31", "2016-09-30", "2016-12-31"])
    clinton, trump = rows["rawpoll_clinton"], rows["rawpoll_trump"]
    return events(
        group=rows["state"],
        likely=rows["population"].eq("lv"),
        grade=grade,
        period=classes(pd.to_datetime(rows["enddate"]), edges),
        positive=(clinton > trump).where(clinton.notna() & trump.notna()),
    )


def bikes_casual(rows: pd.DataFrame) -> pd.DataFrame:
    weather = {"clear": 0, "cloudy/misty": 1, "light rain/snow": 2, "heavy rain/snow": 2}
    return events(
        group=rows["day"],
        hours=rows["hr"] // 3,
        weather=rows["weathersit"].map(weather),
        positive=rows["casual"],
        n=rows["casual"] + rows["registered"],
    )


def rwm_doctor(rows: pd.DataFrame) -> pd.DataFrame:
    rows = rows[rows["female"] == 1]
    return events(
        group=rows["id"],
        not_working=rows["outwork"],
        children=rows["kids"],
        married=rows["married"],
        income=quantile_classes(rows["hhninc"], 5),
        positive=rows["docvis"] > 0,
    )


def alcohol_abuse(rows: pd.DataFrame) -> pd.DataFrame:
    health = np.select([rows["exhealth"] == 1, rows["vghealth"] == 1, rows["goodhealth"] == 1], [3, 2, 1], 0)
    return events(
        group=rows["ethanol"].round(4),
        schooling=classes(rows["educ"], [-1, 11, 12, 15, 99]),
        health=health,
        married=rows["married"],
        positive=rows["abuse"],
    )


def nesarc_drinks(rows: pd.DataFrame) -> pd.DataFrame:
    drinks = rows["s2aq8b"]
    rows = rows[drinks.notna() & (drinks < 99)]
    race = {1: "white", 2: "black", 3: "other", 4: "other", 5: "hispanic"}
    marital = {1: "together", 2: "together", 3: "former", 4: "former", 5: "former", 6: "never"}
    return events(
        group=joined(rows["region"], rows["age"]),
        race=rows["ethrace2a"].map(race),
        sex=rows["sex"],
        marital=rows["marital"].map(marital),
        education=rows["educ"],
        positive=rows["s2aq8b"] >= 3,
    )


def suicide_died(rows: pd.DataFrame) -> pd.DataFrame:
    frequent = ["Pesticide", "Hanging", "Other poison", "Poison unspec"]
    return events(
        group=rows["Age"],
        method=kept_levels(rows["method"], frequent),
        sex=rows["Sex"],
        urban=rows["Urban"],
        positive=rows["Died"] == "yes",
    )


def lahman_salary(salaries: pd.DataFrame, people: pd.DataFrame, appearances: pd.DataFrame) -> pd.DataFrame:
    games = appearances.groupby(["yearID", "playerID"], as_index=False)[["G_p", "G_all"]].sum()
    rows = salaries.merge(people[["playerID", "debut", "birthCountry"]], on="playerID")
    rows = rows.merge(games, on=["yearID", "playerID"])
    median = rows.groupby("yearID")["salary"].transform("median")
    years = rows["yearID"] - pd.to_datetime(rows["debut"]).dt.year
    return events(
        group=joined(rows["teamID"], rows["yearID"]),
        years=classes(years, [-99, 1, 3, 5, 8, 11, 99]),
        pitcher=2 * rows["G_p"] >= rows["G_all"],
        american=rows["birthCountry"].eq("USA"),
        positive=rows["salary"] > median,
    )


def nass_dead(rows: pd.DataFrame) -> pd.DataFrame:
    speed = {"1-9km/h": 0, "10-24": 1, "25-39": 2, "40-54": 3, "55+": 4}
    return events(
        group=joined(rows["yearVeh"], rows["yearacc"]),
        speed=rows["dvcat"].map(speed),
        belt=rows["seatbelt"],
        frontal=rows["frontal"],
        sex=rows["sex"],
        positive=rows["dead"] == "dead",
    )


def ketchup_heinz(rows: pd.DataFrame) -> pd.DataFrame:
    return events(
        group=rows["Ketchup.hid"],
        heinz=classes(rows["price.heinz"], [0, 1.1, 1.4, 9]),
        hunts=classes(rows["price.hunts"], [0, 1.3, 1.4, 9]),
        store=rows["price.stb"] > 0.93,
        positive=rows["Ketchup.choice"] == "heinz",
    )


def flchain_death(rows: pd.DataFrame) -> pd.DataFrame:
    return events(
        group=rows["age"],
        light_chain=rows["flc.grp"],
        sex=rows["sex"],
        positive=rows["death"],
    )


def ces_abortion(rows: pd.DataFrame) -> pd.DataFrame:
    importance = {"not": 0, "notvery": 1, "somewhat": 2, "very": 3}
    education = {"lessHS": 0, "HS": 1, "somePS": 2, "college": 2, "bachelors": 3, "higher": 3}
    return events(
        group=rows["province"],
        religion=rows["importance"].map(importance),
        education=rows["education"].map(education),
        sex=rows["gender"],
        positive=rows["abortion"] == "Yes",
    )


def bfi_item(rows: pd.DataFrame) -> pd.DataFrame:
    items = [name for name in rows if len(name) == 2 and name[0] in "ACENO" and name[1] in "12345"]
    rows = rows.assign(years=classes(rows["age"], [0, 21, 30, 99]))
    long = rows.melt(id_vars=["gender", "education", "years"], value_vars=items, var_name="group")
    positive = (long["value"] >= 4).where(long["value"].notna())
    return long[["group", "gender", "education", "years"]].assign(positive=positive)


def gss_spend_item(rows: pd.DataFrame) -> pd.DataFrame:
    items = [name for name in rows if name.startswith("nat")]
    rows = rows.assign(
        views=classes(rows["polviews"], [0, 3, 4, 7]),
        degree=rows["degree"].map({0: 0, 1: 1, 2: 1, 3: 2, 4: 2}),
    )
    long = rows.melt(id_vars=["views", "degree", "race", "sex"], value_vars=items, var_name="group")
    positive = (long["value"] == 1).where(long["value"].notna())
    return long[["group", "views", "degree", "race", "sex"]].assign(positive=positive)


def resume_ad(rows: pd.DataFrame) -> pd.DataFrame:
    return events(
        group=rows["job_ad_id"],
        race=rows["race"],
        sex=rows["gender"],
        quality=rows["resume_quality"],
        experience=classes(rows["years_experience"], [-1, 5, 9, 99]),
        positive=rows["received_callback"],
    )


def train_choice(rows: pd.DataFrame) -> pd.DataFrame:
    signs = {name: np.sign(rows[f"{name}1"] - rows[f"{name}2"]) + 1 for name in ("price", "time", "comfort")}
    return events(group=rows["id"], **signs, positive=rows["choice"] == "choice1")
