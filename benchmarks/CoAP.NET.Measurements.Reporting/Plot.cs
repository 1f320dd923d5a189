using System.Globalization;
using System.Text;

namespace CoAP.Measurements.Reporting;

/// <summary>Lines over a common axis, as SVG.</summary>
internal sealed class Plot(string name, string title, string across, string up)
{
    private const double Width = 900;
    private const double Height = 520;
    private const double Left = 80;
    private const double Right = 230;
    private const double Top = 50;
    private const double Bottom = 60;
    private static readonly string[] Colours = ["#1b6ca8", "#d1495b", "#2e8b57", "#e08e0b", "#6a4c93", "#3b3b3b", "#00a5a5", "#8d5a2b", "#9aa0a6", "#c71585"];

    private readonly List<(string Name, (double X, double Y)[] Points, bool IsDocument)> _lines = [];

    public string Name => name;

    public bool IsLogAcross { get; init; } = true;

    public bool IsLogUp { get; init; } = true;

    /// <summary>A line through points; those of a document are dashed.</summary>
    public void Line(string label, IEnumerable<(double X, double Y)> points, bool isDocument = false)
    {
        var known = points.Where(point => double.IsFinite(point.Y)).ToArray();
        if (known.Length > 0) { _lines.Add((label, known, isDocument)); }
    }

    public string ToSvg()
    {
        var x = new Axis([.. _lines.SelectMany(line => line.Points).Select(point => point.X)], IsLogAcross);
        var y = new Axis([.. _lines.SelectMany(line => line.Points).Select(point => point.Y)], IsLogUp);
        var svg = new StringBuilder();
        svg.AppendLine(F($"<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {Width} {Height}\" font-family=\"sans-serif\" font-size=\"13\">"));
        svg.AppendLine("<rect width=\"100%\" height=\"100%\" fill=\"white\"/>");
        svg.AppendLine(F($"<text x=\"{Left}\" y=\"28\" font-size=\"16\" font-weight=\"bold\">{Escape(title)}</text>"));
        DrawAxes(svg, x, y);
        for (var at = 0; at < _lines.Count; at++) { DrawLine(svg, at, x, y); }
        return svg.AppendLine("</svg>").ToString();
    }

    private static double AtX(Axis axis, double value) => Left + (axis.Place(value) * (Width - Left - Right));

    private static double AtY(Axis axis, double value) => Height - Bottom - (axis.Place(value) * (Height - Top - Bottom));

    private void DrawAxes(StringBuilder svg, Axis x, Axis y)
    {
        foreach (var tick in x.Ticks)
        {
            var at = AtX(x, tick);
            svg.AppendLine(F($"<line x1=\"{at:0.#}\" y1=\"{Top}\" x2=\"{at:0.#}\" y2=\"{Height - Bottom}\" stroke=\"#e3e3e3\"/>"));
            svg.AppendLine(F($"<text x=\"{at:0.#}\" y=\"{Height - Bottom + 18}\" text-anchor=\"middle\">{Axis.Label(tick)}</text>"));
        }
        foreach (var tick in y.Ticks)
        {
            var at = AtY(y, tick);
            svg.AppendLine(F($"<line x1=\"{Left}\" y1=\"{at:0.#}\" x2=\"{Width - Right}\" y2=\"{at:0.#}\" stroke=\"#e3e3e3\"/>"));
            svg.AppendLine(F($"<text x=\"{Left - 8}\" y=\"{at + 4:0.#}\" text-anchor=\"end\">{Axis.Label(tick)}</text>"));
        }
        var (right, bottom) = (Width - Right, Height - Bottom);
        svg.AppendLine(F($"<path d=\"M{Left} {Top} V{bottom} H{right}\" fill=\"none\" stroke=\"#333\"/>"));
        svg.AppendLine(F($"<text x=\"{(Left + right) / 2}\" y=\"{Height - 16}\" text-anchor=\"middle\">{Escape(across)}</text>"));
        svg.AppendLine(F($"<text transform=\"translate(20 {(Top + bottom) / 2}) rotate(-90)\" text-anchor=\"middle\">{Escape(up)}</text>"));
    }

    private void DrawLine(StringBuilder svg, int at, Axis x, Axis y)
    {
        var (label, points, isDocument) = _lines[at];
        var colour = Colours[at % Colours.Length];
        var dash = isDocument ? " stroke-dasharray=\"6 4\"" : "";
        var path = string.Join(" L", points.Select(point => F($"{AtX(x, point.X):0.#} {AtY(y, point.Y):0.#}")));
        svg.AppendLine(F($"<path d=\"M{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"{dash}/>"));
        foreach (var point in points)
        {
            svg.AppendLine(F($"<circle cx=\"{AtX(x, point.X):0.#}\" cy=\"{AtY(y, point.Y):0.#}\" r=\"3.5\" fill=\"{(isDocument ? "white" : colour)}\" stroke=\"{colour}\"/>"));
        }
        var (left, top) = (Width - Right + 16, Top + 10 + (at * 22));
        svg.AppendLine(F($"<line x1=\"{left}\" y1=\"{top}\" x2=\"{left + 26}\" y2=\"{top}\" stroke=\"{colour}\" stroke-width=\"2\"{dash}/>"));
        svg.AppendLine(F($"<text x=\"{left + 34}\" y=\"{top + 4}\">{Escape(label)}</text>"));
    }

    private static string F(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);

    private static string Escape(string text) => text.Replace("&", "&amp;", StringComparison.Ordinal).Replace("<", "&lt;", StringComparison.Ordinal);
}
