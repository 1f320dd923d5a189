using CoAP.Packaging;

namespace CoAP.Packages.Tests;

public sealed class ReleaseNotesTests
{
    private const string Changelog = "# Changelog\n\n## 0.3.0 (unreleased)\n\n### Added\n\n- Add one.\n\n## 0.2.0 (2026-11-26)\n\n- Add two; and (three).\n";

    [Theory]
    [InlineData("0.3.0", "### Added\n\n- Add one.")]
    [InlineData("0.2.0", "- Add two; and (three).")]
    public void The_notes_of_a_version_end_where_the_next_begins(string version, string notes) => ReleaseNotes.Of(Changelog, version).Should().Be(notes);

    [Theory]
    [InlineData("0.4.0")]
    [InlineData("0.3")]
    public void A_version_without_lines_has_no_notes(string version) =>
        FluentActions.Invoking(() => ReleaseNotes.Of(Changelog, version)).Should().Throw<InvalidDataException>().WithMessage($"*{version}*");

    [Fact]
    public void Notes_that_a_gallery_refuses_are_refused_before() =>
        FluentActions.Invoking(() => ReleaseNotes.Of($"## 1.0.0 (2027-01-01)\n{new string('x', 35_001)}", "1.0.0"))
            .Should().Throw<InvalidDataException>().WithMessage("*35001 characters*at most 35000*");
}
