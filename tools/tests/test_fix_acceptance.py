"""The player of acceptance definitions, against an acceptor made of a list of answers."""
import datetime
import socket
import sys
import tempfile
import threading
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
import fix_acceptance as player  # noqa: E402

LOGON = "8=FIX.4.2|9=5|35=A|34=1|49=ISLD|52=20260302-09:00:00.123|56=TW|98=0|108=2|10=123|"


def soh(text):
    return text.replace("|", player.SOH)


class Messages(unittest.TestCase):
    def test_length_and_checksum_are_added_unless_they_are_there(self):
        completed = soh("8=FIX.4.2|9=5|35=0|10=161|")
        self.assertEqual(player.completed(soh("8=FIX.4.2|35=0|")), completed)
        given = soh("8=FIX.4.2|9=7|35=0|10=000|")
        self.assertEqual(player.completed(given), given)
        self.assertEqual(player.completed("CONNECT"), "CONNECT")

    def test_times_are_told_from_now(self):
        now = datetime.datetime(2026, 3, 2, 9, 0, 0)
        told = player.with_times("<TIME>,<TIME-121>,<TIME+1>", now)
        self.assertEqual(told, "20260302-09:00:00,20260302-08:57:59,20260302-09:00:01")

    def test_fields_are_compared_in_their_order_and_times_by_their_form(self):
        def trouble(expected, received):
            return player.trouble(soh(expected), soh(received), False)

        self.assertEqual(trouble("35=0|52=0|10=0|", "35=0|52=20260302-09:00:00|10=001|"), "")
        self.assertIn("another number", trouble("35=0|", "35=0|34=1|"))
        self.assertIn("should stand where", trouble("35=0|34=1|", "34=1|35=0|"))
        self.assertIn("should be 1 and is 2", trouble("35=0|34=1|", "35=0|34=2|"))
        self.assertIn("52", trouble("35=0|52=0|", "35=0|52=now|"))

    def test_a_report_stands_for_an_order_that_comes_back(self):
        order = soh("8=FIX.4.2|35=D|34=2|49=ISLD|56=TW|11=a|")
        report = soh("8=FIX.4.2|35=8|34=2|49=ISLD|56=TW|39=0|")
        self.assertNotEqual(player.trouble(order, report, False), "")
        self.assertEqual(player.trouble(order, report, True), "")
        self.assertIn("34", player.trouble(order, report.replace("34=2", "34=3"), True))
        self.assertIn("type 3", player.trouble(order, report.replace("35=8", "35=3"), True))
        again = report.replace("49=", "43=Y" + player.SOH + "49=")
        self.assertIn("43", player.trouble(order, again, True))


class Definitions(unittest.TestCase):
    def play(self, definition, answers):
        """Each answer is sent when something has come."""
        with socket.create_server(("127.0.0.1", 0)) as server:

            def accept():
                connection, _ = server.accept()
                with connection:
                    for answer in answers:
                        if connection.recv(4096):
                            connection.sendall(soh(answer).encode())

            acceptor = threading.Thread(target=accept)
            acceptor.start()
            with tempfile.NamedTemporaryFile("w", suffix=".def") as file:
                file.write(soh(definition))
                file.flush()
                result = player.Player(server.getsockname()[1], False).play(file.name)
            acceptor.join()
            return result

    def test_what_is_kept_is_told_as_such(self):
        length = len(soh("35=A|34=1|49=ISLD|52=20260302-09:00:00.123|56=TW|98=0|108=2|"))
        logon = LOGON.replace("9=5|", f"9={length}|")
        definition = (
            "# a comment\n\niCONNECT\nI8=FIX.4.2|35=A|34=1|49=TW|52=<TIME>|56=ISLD|98=0|108=2|\n"
            f"E8=FIX.4.2|9={length}|35=A|34=1|49=ISLD|52=0|56=TW|98=0|108=2|10=0|\neDISCONNECT\n"
        )
        self.assertEqual(self.play(definition, [logon]), "")
        other = definition.replace("108=2|10=0", "108=3|10=0")
        self.assertIn("line 5: field 108 should be 3 and is 2", self.play(other, [logon]))
        self.assertIn("the connection was ended", self.play(definition, []))


if __name__ == "__main__":
    unittest.main()
