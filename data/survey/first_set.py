"""The designs of the first set: source rows to events, one function per design.

Each returns columns `group`, the factors of the bin (all the others) and `positive`, the outcome.
"""

import numpy as np
import pandas as pd
from classes import above, events, joined, quantile_classes, two_digits


def flights(rows: pd.DataFrame) -> pd.DataFrame:
    rows = rows[rows["arr_delay"].notna()]
    return rows.assign(positive=rows["arr_delay"] > 15)


def flights_day_delay(rows: pd.DataFrame) -> pd.DataFrame:
    rows = flights(rows)
    day = joined(rows["origin"], two_digits(rows["month"]) + two_digits(rows["day"]))
    return events(group=day, delay=delay_class(rows), haul=haul_class(rows), positive=rows["positive"])


def flights_carrier_delay(rows: pd.DataFrame) -> pd.DataFrame:
    rows = flights(rows)
    month = joined(rows["carrier"], two_digits(rows["month"]))
    return events(group=month, delay=delay_class(rows), haul=haul_class(rows), positive=rows["positive"])


def flights_dest(rows: pd.DataFrame) -> pd.DataFrame:
    rows = flights(rows)
    return events(
        group=rows["dest"],
        hours=above(rows["hour"], [7, 11, 15]),
        season=rows["month"] % 12 // 3,
        origin=rows["origin"],
        positive=rows["positive"],
    )


def delay_class(rows: pd.DataFrame) -> np.ndarray:
    return above(rows["dep_delay"], [-6, -3, 0, 5, 10, 15, 20, 30, 60])


def haul_class(rows: pd.DataFrame) -> np.ndarray:
    return above(rows["distance"], [600, 1200])


def rodents(rows: pd.DataFrame) -> pd.DataFrame:
    rows = rows[rows["weight"].notna() & rows["hindfoot_length"].notna()]
    return rows.assign(group=joined(two_digits(rows["plot_id"]), rows["year"]))


def rodents_genus(rows: pd.DataFrame) -> pd.DataFrame:
    rows = rodents(rows)
    return events(
        group=rows["group"],
        weight=quantile_classes(rows["weight"], 6),
        hindfoot=quantile_classes(rows["hindfoot_length"], 5),
        positive=rows["genus"] == "Dipodomys",
    )


def rodents_species(rows: pd.DataFrame) -> pd.DataFrame:
    rows = rodents(rows)
    rows = rows[rows["species_id"].isin(["DM", "DO"]) & rows["sex"].isin(["F", "M"])]
    return events(
        group=rows["group"],
        weight=quantile_classes(rows["weight"], 6),
        hindfoot=quantile_classes(rows["hindfoot_length"], 5),
        sex=rows["sex"],
        positive=rows["species_id"] == "DM",
    )


def storms(rows: pd.DataFrame) -> pd.DataFrame:
    return events(
        group=joined(rows["name"], rows["year"]),
        pressure=quantile_classes(rows["pressure"], 12),
        positive=rows["status"] == "hurricane",
    )


def pets_name(rows: pd.DataFrame) -> pd.DataFrame:
    rows = rows[rows["species"].isin(["Dog", "Cat"]) & rows["animal_name"].notna()]
    rows = rows[rows["zip_code"].notna()]
    frequent = rows["animal_name"].value_counts().index[:59]
    return events(
        group=rows["zip_code"].str[:5],
        name=rows["animal_name"].where(rows["animal_name"].isin(frequent), "(other)"),
        positive=rows["species"] == "Dog",
    )


def insteval_lecturer(rows: pd.DataFrame) -> pd.DataFrame:
    ratings = rows.groupby("s")["y"]
    number = ratings.transform("size")
    rows, number, total = (part[number >= 2] for part in (rows, number, ratings.transform("sum")))
    return events(
        group=rows["d"].astype(str),
        others=quantile_classes((total - rows["y"]) / (number - 1), 5),
        service=rows["service"],
        age=rows["studage"],
        positive=rows["y"] >= 4,
    )


def chem97_school(rows: pd.DataFrame) -> pd.DataFrame:
    return pupils(rows, "school")


def chem97_lea(rows: pd.DataFrame) -> pd.DataFrame:
    return pupils(rows, "lea")


def pupils(rows: pd.DataFrame, group: str) -> pd.DataFrame:
    return events(
        group=rows[group].astype(str),
        gcse=quantile_classes(rows["gcsescore"], 10),
        sex=rows["gender"],
        age=quantile_classes(rows["age"], 3),
        positive=rows["score"] >= 8,
    )


def hsb82(rows: pd.DataFrame) -> pd.DataFrame:
    return events(
        group=rows["school"].astype(str),
        ses=quantile_classes(rows["ses"], 5),
        minority=rows["minrty"],
        sex=rows["sx"],
        positive=rows["mAch"] > rows["mAch"].median(),
    )


def star(rows: pd.DataFrame) -> pd.DataFrame:
    needed = ["math", "read", "ses", "sx", "cltype"]
    rows = rows[rows[needed].notna().all(axis=1)]
    median = rows.groupby("gr")["math"].transform("median")
    return rows.assign(group=joined(rows["sch"], rows["gr"]), positive=rows["math"] > median)


def star_read(rows: pd.DataFrame) -> pd.DataFrame:
    rows = star(rows)
    within = rows.groupby("gr")["read"].transform(lambda read: quantile_classes(read, 6))
    return events(
        group=rows["group"], read=within, lunch=rows["ses"], sex=rows["sx"], positive=rows["positive"]
    )


def star_background(rows: pd.DataFrame) -> pd.DataFrame:
    rows = star(rows)
    ethnicity = rows["eth"].where(rows["eth"].isin(["B", "W"]), "O")
    return events(
        group=rows["group"],
        lunch=rows["ses"],
        sex=rows["sx"],
        ethnicity=ethnicity,
        classes=rows["cltype"],
        positive=rows["positive"],
    )


def mpls_stops(rows: pd.DataFrame) -> pd.DataFrame:
    rows = rows[rows["race"].notna() & rows["gender"].notna()]
    return events(
        group=rows["neighborhood"],
        race=rows["race"].where(rows["race"].isin(["Black", "White", "Unknown"]), "Other"),
        gender=rows["gender"],
        hours=rows["date"].str[11:13].astype(int) // 6,
        positive=rows["problem"] == "traffic",
    )


def bundesliga(rows: pd.DataFrame) -> pd.DataFrame:
    return events(
        group=joined(rows["HomeTeam"], rows["Year"] // 5 * 5),
        goals=rows["HomeGoals"].clip(upper=5),
        positive=rows["HomeGoals"] > rows["AwayGoals"],
    )


def flights_day_sched(rows: pd.DataFrame) -> pd.DataFrame:
    rows = flights(rows)
    day = joined(rows["origin"], two_digits(rows["month"]) + two_digits(rows["day"]))
    large = rows["carrier"].isin(["UA", "B6", "EV", "DL", "AA", "MQ", "US"])
    return events(
        group=day,
        hours=above(rows["hour"], [7, 10, 13, 16]),
        carrier=rows["carrier"].where(large, "other"),
        positive=rows["positive"],
    )


def insteval_student(rows: pd.DataFrame) -> pd.DataFrame:
    ratings = rows.groupby("d")["y"]
    number = ratings.transform("size")
    others = (ratings.transform("sum") - rows["y"]) / (number - 1).where(number > 1)
    return events(
        group=rows["s"],
        others=quantile_classes(others, 8),
        service=rows["service"],
        age=quantile_classes(rows["lectage"], 3),
        positive=rows["y"] >= 4,
    )


def verbagg_item(rows: pd.DataFrame) -> pd.DataFrame:
    return events(
        group=rows["item"],
        anger=quantile_classes(rows["Anger"], 5),
        sex=rows["Gender"],
        positive=rows["r2"] == "Y",
    )


def contraception(rows: pd.DataFrame) -> pd.DataFrame:
    return events(
        group=rows["district"],
        children=rows["livch"],
        urban=rows["urban"],
        age=quantile_classes(rows["age"], 3),
        positive=rows["use"] == "Y",
    )


def guimmun(rows: pd.DataFrame) -> pd.DataFrame:
    return events(
        group=rows["comm"],
        two_or_older=rows["kid2p"],
        ethnicity=rows["ethn"],
        mother=rows["momEd"],
        order=rows["ord"],
        positive=rows["immun"] == "Y",
    )


def guprenat(rows: pd.DataFrame) -> pd.DataFrame:
    return events(
        group=rows["cluster"],
        ethnicity=rows["indig"],
        mother=rows["momEd"].fillna("NA"),
        skilled=rows["husEmpl"].isin(["Professional", "Skilled"]),
        television=rows["TV"].fillna("NA").eq("daily"),
        positive=rows["prenat"] == "Modern",
    )


def exam65(rows: pd.DataFrame) -> pd.DataFrame:
    return events(
        group=rows["school"],
        reading=quantile_classes(rows["standLRT"], 6),
        sex=rows["sex"],
        verbal=rows["vr"],
        positive=rows["normexam"] > 0,
    )


def exam65_intake(rows: pd.DataFrame) -> pd.DataFrame:
    return events(
        group=rows["school"],
        reading=quantile_classes(rows["standLRT"], 8),
        intake=rows["intake"],
        positive=rows["normexam"] > 0,
    )


def scotssec(rows: pd.DataFrame) -> pd.DataFrame:
    return events(
        group=rows["primary"],
        verbal=quantile_classes(rows["verbal"], 8),
        sex=rows["sex"],
        social=rows["social"] > 0,
        positive=rows["attain"] >= 6,
    )


def egsingle(rows: pd.DataFrame) -> pd.DataFrame:
    median = rows.groupby("year")["math"].transform("median")
    return events(
        group=rows["schoolid"],
        sex=rows["female"],
        black=rows["black"],
        hispanic=rows["hispanic"],
        retained=rows["retained"],
        positive=rows["math"] > median,
    )


def medpar(rows: pd.DataFrame) -> pd.DataFrame:
    return events(
        group=rows["provnum"],
        stay=quantile_classes(rows["los"], 6),
        over_80=rows["age80"],
        admission=rows["type"],
        positive=rows["died"],
    )


def loans_home(rows: pd.DataFrame) -> pd.DataFrame:
    return events(
        group=rows["state"],
        income=quantile_classes(rows["annual_income"], 5),
        grade=rows["grade"].where(rows["grade"].isin(list("ABC")), "D+"),
        application=rows["application_type"],
        positive=rows["homeownership"] == "MORTGAGE",
    )


def kershaw_swing(rows: pd.DataFrame) -> pd.DataFrame:
    return events(
        group=rows["Batter"],
        zone=rows["Zone"],
        strikes=rows["StrikeCount"],
        positive=rows["Swing"] == "Yes",
    )


def hotel_family(rows: pd.DataFrame) -> pd.DataFrame:
    room = rows["reserved_room_type"]
    return events(
        group=rows["arrival_date"],
        room=room.where(room.isin(list("adefg")), "x"),
        price=quantile_classes(rows["avg_price_per_room"], 3),
        adults=rows["adults"].clip(1, 3),
        positive=rows["children"] + rows["babies"] > 0,
    )


def movies_drama(rows: pd.DataFrame) -> pd.DataFrame:
    rows = rows[(rows["year"] >= 1920) & (rows["Short"] == 0)]
    return events(
        group=rows["year"],
        length=quantile_classes(rows["length"], 6),
        rating=quantile_classes(rows["rating"], 6),
        positive=rows["Drama"],
    )


def partytherms(rows: pd.DataFrame) -> pd.DataFrame:
    rows = rows.dropna(subset=["therm_dem", "therm_gop"])
    rows = rows[rows["therm_dem"] != rows["therm_gop"]]
    return rows.assign(positive=rows["therm_dem"] > rows["therm_gop"])


def partytherms_state(rows: pd.DataFrame) -> pd.DataFrame:
    rows = partytherms(rows)
    return events(
        group=rows["stateabb"],
        race=rows["race4"],
        income=rows["incomeperc"],
        education=pd.cut(rows["educat"], [0, 3, 5, 7], labels=False),
        positive=rows["positive"],
    )


def partytherms_pid(rows: pd.DataFrame) -> pd.DataFrame:
    rows = partytherms(rows)
    return events(
        group=joined(rows["stateabb"], rows["year"]),
        party=rows["pid7"],
        white=rows["race4"].eq(1),
        positive=rows["positive"],
    )


CHURCH = {
    "never": 0,
    "lt once a year": 0,
    "once a year": 1,
    "sevrl times a yr": 1,
    "once a month": 1,
    "2-3x a month": 2,
    "nrly every week": 2,
    "every week": 3,
    "more thn once wk": 3,
}


def happiness(rows: pd.DataFrame) -> pd.DataFrame:
    return events(
        group=joined(rows["region"], rows["year"]),
        church=rows["attend"].map(CHURCH),
        black=rows["black"],
        female=rows["female"],
        schooling=pd.cut(rows["educ"], [-1, 11, 12, 20], labels=False),
        positive=rows["vhappy"],
    )


def catsup(rows: pd.DataFrame) -> pd.DataFrame:
    price = rows["price.heinz32"]
    return events(
        group=rows["id"],
        display=rows["disp.heinz32"],
        feature=rows["feat.heinz32"],
        cheap=price < price.median(),
        rival=rows[["disp.heinz41", "disp.heinz28", "disp.hunts32"]].max(axis=1),
        positive=rows["choice"] == "heinz32",
    )


def birds_night(rows: pd.DataFrame) -> pd.DataFrame:
    rows = rows.dropna(subset=["time_of_day", "phase_of_flt", "state"])
    return events(
        group=rows["state"],
        phase=rows["phase_of_flt"],
        sky=rows["sky"].fillna("NA"),
        positive=rows["time_of_day"] == "Night",
    )


def dee_register(rows: pd.DataFrame) -> pd.DataFrame:
    return events(
        group=rows["schoolid"],
        college=rows["college"],
        black=rows["black"],
        hispanic=rows["hispanic"],
        other_race=rows["otherrace"],
        female=rows["female"],
        positive=rows["register"],
    )


def ucb(rows: pd.DataFrame) -> pd.DataFrame:
    return events(
        group=rows["Dept"],
        sex=rows["Gender"],
        positive=(rows["Admit"] == "Admitted") * rows["Freq"],
        n=rows["Freq"],
    )


def titanic(rows: pd.DataFrame) -> pd.DataFrame:
    return events(
        group=rows["Class"],
        sex=rows["Sex"],
        age=rows["Age"],
        positive=(rows["Survived"] == "Yes") * rows["Freq"],
        n=rows["Freq"],
    )
