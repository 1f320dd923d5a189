using System.Globalization;
using System.Text;

namespace CoAP.Measurements.HandOffs.Pictures;

/// <summary>Many small pictures of one kind beside each other, as SVG: a panel for each rung, in it a series for each placement.</summary>
internal sealed class Panels(string name, string title, string across, string up)
{
    private const int Columns = 4;
    private const double PanelWidth = 270;
    private const double PanelHeight = 170;
    private const double Left = 52;
    private const double Top = 66;
    private const double Inner = 26;
    private static readonly string[] Colours = ["#1b6ca8", "#d1495b", "#2e8b57", "#6a4c93"];

    private readonly List<(string Title, List<(string Series, IReadOnlyList<(double X, double Y)> Points)> Series)> _panels = [];
    private readonly List<string> _series = [];

    public string Name => name;

    public bool IsLogAcross { get; init; }

    public bool IsLogUp { get; init; }

    /// <summary>Whether points are joined to the outline of a histogram.</summary>
    public bool IsOutline { get; init; }

    public void Add(string panel, string series, IReadOnlyList<(double X, double Y)> points)
    {
        if (!_series.Contains(series)) { _series.Add(series); }
        if (_panels.Count == 0 || _panels[^1].Title != panel) { _panels.Add((panel, [])); }
        _panels[^1].Series.Add((series, points));
    }

    public string ToSvg()
    {
        var rows = (_panels.Count + Columns - 1) / Columns;
        var svg = new StringBuilder();
        svg.AppendLine(F($"<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {(Columns * PanelWidth) + 20} {Top + (rows * PanelHeight) + 16}\" font-family=\"sans-serif\" font-size=\"10\">"));
        svg.AppendLine("<rect width=\"100%\" height=\"100%\" fill=\"white\"/>");
        svg.AppendLine(F($"<text x=\"20\" y=\"24\" font-size=\"16\" font-weight=\"bold\">{title}</text>"));
        svg.AppendLine(F($"<text x=\"20\" y=\"42\" font-size=\"12\">across: {across}; up: {up}</text>"));
        for (var at = 0; at < _series.Count; at++)
        {
            svg.AppendLine(F($"<rect x=\"{560 + (at * 120)}\" y=\"33\" width=\"14\" height=\"10\" fill=\"{Colours[at]}\"/>"));
            svg.AppendLine(F($"<text x=\"{580 + (at * 120)}\" y=\"42\" font-size=\"12\">{_series[at]}</text>"));
        }
        for (var at = 0; at < _panels.Count; at++) { Draw(svg, at); }
        return svg.AppendLine("</svg>").ToString();
    }

    private void Draw(StringBuilder svg, int at)
    {
        var (left, top) = ((at % Columns * PanelWidth) + Left, Top + (at / Columns * PanelHeight));
        var (width, height) = (PanelWidth - Left - 6, PanelHeight - Inner - 22);
        svg.AppendLine(F($"<g transform=\"translate({left} {top + Inner - 8})\">"));
        svg.AppendLine(F($"<text y=\"-5\" font-size=\"12\" font-weight=\"bold\">{_panels[at].Title.Replace("<", "&lt;", StringComparison.Ordinal)}</text>"));
        var all = _panels[at].Series.SelectMany(static series => series.Points).ToArray();
        var x = new Scale(all.Select(static point => point.X), IsLogAcross, width);
        var y = new Scale(all.Select(static point => point.Y), IsLogUp, height, fromZero: IsOutline);
        foreach (var tick in x.Ticks)
        {
            svg.AppendLine(F($"<path d=\"M{x.At(tick):0.#} 0v{height}\" stroke=\"#e3e3e3\"/><text x=\"{x.At(tick):0.#}\" y=\"{height + 12}\" text-anchor=\"middle\">{Scale.Label(tick)}</text>"));
        }
        foreach (var tick in y.Ticks)
        {
            svg.AppendLine(F($"<path d=\"M0 {height - y.At(tick):0.#}h{width}\" stroke=\"#e3e3e3\"/><text x=\"-4\" y=\"{height - y.At(tick) + 3:0.#}\" text-anchor=\"end\">{Scale.Label(tick)}</text>"));
        }
        foreach (var (series, points) in _panels[at].Series) { Draw(svg, Colours[_series.IndexOf(series)], points, x, y, height); }
        svg.AppendLine(F($"<path d=\"M0 0V{height}H{width}\" fill=\"none\" stroke=\"#333\"/></g>"));
    }

    private void Draw(StringBuilder svg, string colour, IReadOnlyList<(double X, double Y)> points, Scale x, Scale y, double height)
    {
        if (IsOutline)
        {
            var outline = string.Join("", points.Select((point, at) => F($"{(at == 0 ? 'M' : 'L')}{x.At(point.X):0.#} {height - y.At(point.Y):0.#}")));
            svg.AppendLine($"<path d=\"{outline}\" fill=\"{colour}\" fill-opacity=\"0.15\" stroke=\"{colour}\" stroke-width=\"1.2\"/>");
            return;
        }
        var dots = string.Join("", points.Select(point => F($"M{x.At(point.X):0.#} {height - y.At(point.Y):0.#}h0")));
        svg.AppendLine($"<path d=\"{dots}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2.2\" stroke-linecap=\"round\" stroke-opacity=\"0.7\"/>");
    }

    private static string F(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
