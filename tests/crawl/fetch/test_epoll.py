"""Sockets that rest in the epoll between requests."""

import os
import socket

import pycurl
import pytest

from garimpo.crawl.fetch.epoll import Sockets


@pytest.fixture
def pair():
    ours, theirs = socket.socketpair()
    yield ours, theirs
    ours.close()
    theirs.close()


@pytest.fixture
def sockets():
    made = Sockets()
    yield made
    made.close()


def test_a_socket_that_rests_is_taken_up_again(sockets, pair):
    ours, theirs = pair
    for word in (b"one", b"two"):
        sockets.wanted(pycurl.POLL_IN, ours.fileno(), None, None)
        theirs.send(word)
        assert list(sockets.poll(1.0)) == [(ours.fileno(), pycurl.CSELECT_IN)]
        assert ours.recv(10) == word
        sockets.wanted(pycurl.POLL_REMOVE, ours.fileno(), None, None)
    assert list(sockets.poll(0.0)) == []


def test_what_comes_to_a_resting_socket_does_not_wake_again_and_again(sockets, pair):
    ours, theirs = pair
    sockets.wanted(pycurl.POLL_IN, ours.fileno(), None, None)
    sockets.wanted(pycurl.POLL_REMOVE, ours.fileno(), None, None)
    theirs.close()
    assert list(sockets.poll(0.0)) == []
    assert sockets._epoll.poll(0.0) == []
    sockets.wanted(pycurl.POLL_OUT, ours.fileno(), None, None)
    assert [descriptor for descriptor, _ in sockets.poll(1.0)] == [ours.fileno()]


def test_a_resting_socket_may_be_closed_over_an_event_before_its_own(sockets, pair):
    ours, theirs = pair
    resting, other = socket.socketpair()
    sockets.wanted(pycurl.POLL_IN, ours.fileno(), None, None)
    sockets.wanted(pycurl.POLL_IN, resting.fileno(), None, None)
    sockets.wanted(pycurl.POLL_REMOVE, resting.fileno(), None, None)
    theirs.send(b"x")
    other.close()
    events = sockets.poll(1.0)
    assert next(events)[0] == ours.fileno()
    resting.close()
    assert list(events) == []


def test_another_socket_may_get_the_number_of_one_closed_while_it_rested(sockets, pair):
    ours, theirs = pair
    first = socket.socket()
    number = first.fileno()
    sockets.wanted(pycurl.POLL_IN, number, None, None)
    sockets.wanted(pycurl.POLL_REMOVE, number, None, None)
    first.close()
    os.dup2(ours.fileno(), number)
    sockets.wanted(pycurl.POLL_IN, number, None, None)
    theirs.send(b"x")
    assert list(sockets.poll(1.0)) == [(number, pycurl.CSELECT_IN)]
    os.close(number)


def test_a_pipe_with_the_number_of_a_socket_that_rested_is_not_taken_for_it(sockets):
    reading, writing = os.pipe()
    sockets._events[reading] = 0
    sockets.watch([reading])
    os.write(writing, b"x")
    assert list(sockets.poll(1.0)) == []
    assert sockets._epoll.poll(0.0)  # still there: the reader is asked by its own pipe
    os.close(reading)
    os.close(writing)
