"""The files of a run of `stickslip`."""

import csv


def read_states(path):
    """Rows of `trajectory.csv` by step and body, both in the order of the file."""
    states = {}
    with path.open() as file:
        for row in csv.DictReader(file):
            states.setdefault(int(row["step"]), {})[row["body"]] = row
    return states


def read_contacts(path):
    """Rows of `contacts.csv` by step."""
    contacts = {}
    with path.open() as file:
        for row in csv.DictReader(file):
            contacts.setdefault(int(row["step"]), []).append(row)
    return contacts
