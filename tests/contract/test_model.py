"""Models: a zip of JSON and arrays, whole or not at all."""

import zipfile

import numpy as np
import pytest

from garimpo.contract import BadInput, Model, load_model, publish, save_model


def test_a_model_comes_back_as_it_was(tmp_path) -> None:
    model = Model("topic", "auto", {"p": 0.5}, {"weights": np.arange(5.0)}, threshold=0.3)
    save_model(tmp_path / "a.model", model)
    again = load_model(tmp_path / "a.model", "topic")
    assert (again.method, again.parameters, again.threshold) == ("auto", {"p": 0.5}, 0.3)
    assert again.arrays["weights"].tolist() == model.arrays["weights"].tolist()


def test_the_same_model_gives_the_same_bytes(tmp_path) -> None:
    for name in ("a", "b"):
        save_model(tmp_path / name, Model("topic", "auto", {}, {"w": np.ones(3)}))
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_what_is_no_such_model_is_refused(tmp_path) -> None:
    save_model(tmp_path / "a.model", Model("topic", "auto"))
    with pytest.raises(BadInput, match="a topic model, not a sites model"):
        load_model(tmp_path / "a.model", "sites")
    with pytest.raises(BadInput, match="no such file"):
        load_model(tmp_path / "absent", "topic")
    (tmp_path / "text").write_text("hello")
    with pytest.raises(BadInput, match="not a model file"):
        load_model(tmp_path / "text", "topic")


def test_arrays_of_objects_are_never_loaded(tmp_path) -> None:
    save_model(tmp_path / "a.model", Model("topic", "auto"))
    with zipfile.ZipFile(tmp_path / "a.model", "a") as archive, archive.open("evil.npy", "w") as file:
        np.save(file, np.array([{"a": 1}], object), allow_pickle=True)
    with pytest.raises(BadInput, match="not a model file"):
        load_model(tmp_path / "a.model", "topic")


def test_a_failed_publication_leaves_nothing(tmp_path) -> None:
    with pytest.raises(RuntimeError), publish(tmp_path / "x") as temporary:
        temporary.write_text("half")
        raise RuntimeError
    assert list(tmp_path.iterdir()) == []
